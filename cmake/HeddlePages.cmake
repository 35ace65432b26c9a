# SPDX-License-Identifier: Apache-2.0
# HeddlePages.cmake - makes the tool's manual page and bash completion from the output of its --help,
# which is generated from the tables of the commands. As a script:
#   cmake -DTOOL=heddle -DVERSION=0.1.0 -DFOLDER=DIR -P HeddlePages.cmake
# When included, it makes both during the build and installs them.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(pages "${PROJECT_BINARY_DIR}/pages")
    add_custom_command(OUTPUT "${pages}/heddle.1" "${pages}/heddle.bash"
        COMMAND "${CMAKE_COMMAND}" -DTOOL=$<TARGET_FILE:heddle_tool> -DVERSION=${PROJECT_VERSION}
            -DFOLDER=${pages} -P "${CMAKE_CURRENT_LIST_FILE}"
        DEPENDS heddle_tool "${CMAKE_CURRENT_LIST_FILE}" VERBATIM
        COMMENT "Writing the manual page and the completion of bash")
    add_custom_target(heddle_pages ALL DEPENDS "${pages}/heddle.1" "${pages}/heddle.bash")
    install(FILES "${pages}/heddle.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${pages}/heddle.bash" RENAME heddle
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    return()
endif()

# Output of the tool.
function(ask out)
    execute_process(COMMAND "${TOOL}" ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "${TOOL} ${ARGN}: ${code}")
    endif()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Escapes text for roff, unformatted.
function(as_roff out text)
    string(REPLACE "\\" "\\e" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    set(${out} ".nf\n${text}.fi\n" PARENT_SCOPE)
endfunction()

# If the tool is built for a GPU whose libraries are missing on this machine, it may not start.
execute_process(COMMAND "${TOOL}" --version RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
if(NOT code EQUAL 0)
    message(WARNING "heddle: ${TOOL} does not start here: no manual page and no completion")
    file(WRITE "${FOLDER}/heddle.1" ".TH HEDDLE 1\n.SH NAME\nheddle \\- see heddle \\-\\-help\n")
    file(WRITE "${FOLDER}/heddle.bash" "complete -f heddle\n")
    return()
endif()

ask(help --help)
as_roff(body "${help}")
set(page ".TH HEDDLE 1 \"\" \"heddle ${VERSION}\"\n.SH NAME\nheddle \\- GPU kernels written once in C\n\
.SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIFILE\\fR]\n.SH DESCRIPTION\n${body}")
set(cases "")
set(firsts help --help --version)
set(seconds "")

# Commands are indented by two blanks; there are none after "options:".
string(REGEX REPLACE "\noptions:.*" "" listed "${help}")
string(REGEX MATCHALL "\n  [a-z0-9]+( [a-z0-9]+)?  " lines "${listed}")
foreach(line ${lines})
    string(STRIP "${line}" command)
    string(REPLACE " " ";" words "${command}")
    ask(text help ${words})
    as_roff(body "${text}")
    string(APPEND page ".SH \"HEDDLE ${command}\"\n${body}")
    string(REGEX MATCHALL "\n  --[a-z0-9-]+" options "${text}")
    list(TRANSFORM options STRIP)
    list(JOIN options " " options)
    string(APPEND cases "        '${command}') options='${options}' ;;\n")
    list(GET words 0 first)
    list(APPEND firsts ${first})
    if(command MATCHES " (.*)")
        list(APPEND seconds_of_${first} ${CMAKE_MATCH_1})
        list(APPEND seconds ${first})
    endif()
endforeach()
list(REMOVE_DUPLICATES firsts)
list(REMOVE_DUPLICATES seconds)
list(JOIN firsts " " firsts)
set(groups "")
foreach(first ${seconds})
    list(JOIN seconds_of_${first} " " names)
    string(APPEND groups "        ${first}) names='${names}' ;;\n")
endforeach()
file(WRITE "${FOLDER}/heddle.1" "${page}")
file(CONFIGURE OUTPUT "${FOLDER}/heddle.bash" @ONLY CONTENT [=[
# Bash completion for heddle: commands, their options, and files.
_heddle()
{
    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} names='' options=''
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '@firsts@' -- "$word"))
        return
    fi
    case $command in
@groups@    esac
    if [ -n "$names" ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            COMPREPLY=($(compgen -W "$names" -- "$word"))
            return
        fi
        command="$command ${COMP_WORDS[2]}"
    fi
    case $command in
@cases@    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _heddle heddle
]=])
