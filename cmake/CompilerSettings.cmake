# How every target of this project is compiled. Dependencies come in as SYSTEM and are not held to our warnings.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# All libraries end up in a shared object that shows nothing but the FMI functions.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

# The command line and the runtime it packs into FMUs lie side by side at the top of the build tree.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# gcc 12 sees overlaps in std::string operator+ that are not there (gcc bug 105651): no -Wrestrict.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-restrict)
# No fused multiply-add where the source has none: the same bits with every optimisation level and platform baseline.
add_compile_options(-ffp-contract=off)
# Messages and asserts must not carry the path of the machine they were built on.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
include_directories(${PROJECT_SOURCE_DIR})

if(MBFMU_SANITIZE)
  add_compile_options(-fsanitize=${MBFMU_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${MBFMU_SANITIZE})
endif()
