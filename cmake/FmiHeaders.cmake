# The FMI headers come with the FMPy package that the set-up installs into .venv; nothing of them is kept here.
set(MBFMU_FMI_HEADERS "" CACHE PATH "Folder with fmi3Functions.h (default: FMPy's in .venv)")

set(candidates ${MBFMU_FMI_HEADERS})
file(GLOB fmpy_headers ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/fmpy/c-code)
list(APPEND candidates ${fmpy_headers})

set(fmi_header_folder "")
foreach(folder IN LISTS candidates)
  if(EXISTS ${folder}/fmi3Functions.h)
    set(fmi_header_folder ${folder})
    break()
  endif()
endforeach()

if(NOT fmi_header_folder)
  message(FATAL_ERROR "fmi3Functions.h not found. Run scripts/setup.sh (or ./run.sh, which does it first) to install "
                      "FMPy into .venv, or pass -DMBFMU_FMI_HEADERS=<folder with the FMI 3.0 headers>.")
endif()

add_library(fmi_headers INTERFACE)
target_include_directories(fmi_headers SYSTEM INTERFACE ${fmi_header_folder})
