# The installed package: find_package(mbfmu) offers
#
#   mbfmu_add_fmu(name SOURCES a.cpp ... [MODEL name.json] [OPTIONS --arrays ...])
#
# which builds name.fmu in the present binary folder from a model file and C++ functions that its expressions call.
# MODEL is name.json beside the CMakeLists.txt unless given; OPTIONS go to `mbfmu export`. The command line knows the
# functions with `mbfmu --plugin <binary folder>/name_plugin.so simulate name.json` and the like.
get_filename_component(mbfmu_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(MBFMU_COMMAND ${mbfmu_prefix}/bin/mbfmu CACHE FILEPATH "The mbfmu command line")

add_library(mbfmu::functions INTERFACE IMPORTED)
set_target_properties(mbfmu::functions PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${mbfmu_prefix}/include;${mbfmu_prefix}/include/mbfmu"
  INTERFACE_COMPILE_FEATURES cxx_std_20)

# The runtime of the FMU. Of its entry all objects are needed, though nothing in the user's code refers to them.
set(mbfmu_archives "${mbfmu_prefix}/lib/mbfmu")
add_library(mbfmu::runtime INTERFACE IMPORTED)
set_target_properties(mbfmu::runtime PROPERTIES INTERFACE_LINK_OPTIONS
  "-Wl,--version-script=${mbfmu_archives}/fmi3.map;-Wl,--gc-sections;-Wl,--as-needed;-static-libstdc++;-static-libgcc;-Wl,--no-undefined"
  INTERFACE_LINK_LIBRARIES
  "-Wl,--whole-archive;${mbfmu_archives}/libmbfmu_entry.a;-Wl,--no-whole-archive;${mbfmu_archives}/libmbfmu_fmu_src.a;${mbfmu_archives}/libmbfmu_model_description.a;${mbfmu_archives}/libmbfmu_multibody.a;${mbfmu_archives}/libmbfmu_integrators.a")

function(mbfmu_add_fmu name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "MODEL" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mbfmu_add_fmu(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "mbfmu_add_fmu(${name}): SOURCES are missing; a model without any is exported by mbfmu export")
  endif()
  if(NOT arg_MODEL)
    set(arg_MODEL ${name}.json)
  endif()
  get_filename_component(model "${arg_MODEL}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT EXISTS ${model})
    message(FATAL_ERROR "mbfmu_add_fmu(${name}): the model file ${model} does not exist; name another one by MODEL")
  endif()

  add_library(${name}_code OBJECT ${arg_SOURCES})
  target_link_libraries(${name}_code PRIVATE mbfmu::functions)
  # No fused multiply-add where the source has none: the same bits on every machine.
  target_compile_options(${name}_code PRIVATE -ffp-contract=off)
  set_target_properties(${name}_code PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                VISIBILITY_INLINES_HIDDEN ON)

  add_library(${name}_binary MODULE $<TARGET_OBJECTS:${name}_code>)
  target_link_libraries(${name}_binary PRIVATE mbfmu::runtime)
  add_library(${name}_plugin MODULE $<TARGET_OBJECTS:${name}_code> ${mbfmu_prefix}/share/mbfmu/plugin.cpp)
  target_link_libraries(${name}_plugin PRIVATE mbfmu::functions)
  set_target_properties(${name}_binary ${name}_plugin PROPERTIES
    PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})

  set(fmu ${CMAKE_CURRENT_BINARY_DIR}/${name}.fmu)
  add_custom_command(
    OUTPUT ${fmu}
    COMMAND ${MBFMU_COMMAND} --quiet --plugin $<TARGET_FILE:${name}_plugin> export ${model}
            --runtime $<TARGET_FILE:${name}_binary> -o ${fmu} ${arg_OPTIONS}
    DEPENDS ${model} ${name}_plugin ${name}_binary ${MBFMU_COMMAND}
    COMMENT "Exporting ${name}.fmu" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${fmu})
endfunction()
