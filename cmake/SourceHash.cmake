# SPDX-License-Identifier: Apache-2.0
# SourceHash.cmake - writes a header with one hash over all files of a list, to which tuned choices
# are bound:
#   cmake -DLIST=FILE -DROOT=DIR -DHEADER=FILE -P SourceHash.cmake
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${LIST}" files)
set(all "")
foreach(file ${files})
    file(SHA256 "${ROOT}/${file}" hash)
    string(APPEND all "${file} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING "${hash}" 0 32 hash)
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT "/* Made by SourceHash.cmake. */
#define HD__SOURCE_HASH \"@hash@\"
")
