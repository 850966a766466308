# aldis_generate(TARGET SCHEMA [IMPORTS DIR…] [OPTIONS OPTION…])
#
# Generates the codecs of SCHEMA, and of the schemas that it imports, when the target is built, and again when one of them or
# the command `aldis` changes; the target finds the headers and links aldis::aldis. OPTIONS go to `aldis gen` (--name, --prefix, --rename,
# --option allocator=pmr). The command is taken from ALDIS_COMMAND or found on the path.

# Paths of files of dependencies mean the same whatever the project asks of CMake.
cmake_policy(VERSION 3.22)

function(aldis_generate target schema)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "IMPORTS;OPTIONS")
  find_program(ALDIS_COMMAND aldis REQUIRED)
  get_filename_component(schema ${schema} ABSOLUTE)
  # With its ending, as a target may have market.fbe and market.xml.
  get_filename_component(name ${schema} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}.aldis/${name})
  set(imports)
  foreach(folder IN LISTS arg_IMPORTS)
    get_filename_component(folder ${folder} ABSOLUTE)
    list(APPEND imports -I ${folder})
  endforeach()
  set(command ${ALDIS_COMMAND} gen ${schema} --lang cpp --with-imports --out ${out} --sources ${out}.sources ${imports} ${arg_OPTIONS})
  # Only the command knows the names of the headers, and Ninja must be told to see that they change while it builds. So they
  # are made here too; the build says what is wrong with the schema.
  execute_process(COMMAND ${command} OUTPUT_QUIET ERROR_QUIET)
  file(GLOB_RECURSE headers ${out}/*.hpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${schema})
  # The files that were read are known once the command has run: its list of them becomes a file of dependencies.
  add_custom_command(
    OUTPUT ${out}.stamp
    BYPRODUCTS ${headers}
    COMMAND ${command}
    COMMAND ${CMAKE_COMMAND} -D STAMP=${out}.stamp -D SOURCES=${out}.sources -D DEPFILE=${out}.d
            -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/aldis-depfile.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${out}.stamp
    DEPENDS ${schema} ${ALDIS_COMMAND}
    DEPFILE ${out}.d
    COMMENT "Codecs of ${schema}"
    VERBATIM)
  add_custom_target(${target}_${name}_codecs DEPENDS ${out}.stamp)
  add_dependencies(${target} ${target}_${name}_codecs)
  target_include_directories(${target} PRIVATE ${out})
  target_link_libraries(${target} PRIVATE aldis::aldis)
endfunction()
