# Writes DEPFILE, which tells the build that STAMP depends on the files that SOURCES lists, one a line.
function(escaped path out)
  string(REPLACE "$" "$$" path "${path}")
  string(REGEX REPLACE "([ #])" "\\\\\\1" path "${path}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()

file(STRINGS "${SOURCES}" paths)
escaped("${STAMP}" rule)
string(APPEND rule ":")
foreach(path IN LISTS paths)
  get_filename_component(path "${path}" ABSOLUTE)
  # Schemas that the command brings itself are no files.
  if(EXISTS "${path}")
    escaped("${path}" path)
    string(APPEND rule " \\\n  ${path}")
  endif()
endforeach()
file(WRITE "${DEPFILE}" "${rule}\n")
