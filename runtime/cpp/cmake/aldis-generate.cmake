# aldis_generate(TARGET SCHEMA [IMPORTS DIR…] [OPTIONS OPTION…])
#
# Generates the codecs of SCHEMA when the target is built, and again when the schema changes; the target finds the headers
# and links aldis::aldis. OPTIONS go to `aldis gen` (--name, --prefix, --rename, --option allocator=pmr). The command `aldis`
# is taken from ALDIS_COMMAND or found on the path.
function(aldis_generate target schema)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "IMPORTS;OPTIONS")
  find_program(ALDIS_COMMAND aldis REQUIRED)
  get_filename_component(schema ${schema} ABSOLUTE)
  get_filename_component(stem ${schema} NAME_WE)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}.aldis/${stem})
  set(imports)
  foreach(folder IN LISTS arg_IMPORTS)
    get_filename_component(folder ${folder} ABSOLUTE)
    list(APPEND imports -I ${folder})
  endforeach()
  add_custom_command(
    OUTPUT ${out}.stamp
    COMMAND ${ALDIS_COMMAND} gen ${schema} --lang cpp --out ${out} ${imports} ${arg_OPTIONS}
    COMMAND ${CMAKE_COMMAND} -E touch ${out}.stamp
    DEPENDS ${schema}
    COMMENT "Codecs of ${schema}"
    VERBATIM)
  add_custom_target(${target}_${stem}_codecs DEPENDS ${out}.stamp)
  add_dependencies(${target} ${target}_${stem}_codecs)
  target_include_directories(${target} PRIVATE ${out})
  target_link_libraries(${target} PRIVATE aldis::aldis)
endfunction()
