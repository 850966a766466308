include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/aldis-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/aldis-generate.cmake)
