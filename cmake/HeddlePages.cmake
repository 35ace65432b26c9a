# SPDX-License-Identifier: Apache-2.0
# HeddlePages.cmake - the tool's manual page and completions for bash, zsh and fish, made from what its
# --help says, which comes from the tables of the commands. As a script:
#   cmake -DTOOL=heddle -DVERSION=0.1.0 -DFOLDER=DIR -P HeddlePages.cmake
# Included, it makes them at build and installs them.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(pages "${PROJECT_BINARY_DIR}/pages")
    set(files "${pages}/heddle.1" "${pages}/heddle.bash" "${pages}/_heddle" "${pages}/heddle.fish")
    add_custom_command(OUTPUT ${files}
        COMMAND "${CMAKE_COMMAND}" -DTOOL=$<TARGET_FILE:heddle_tool> -DVERSION=${PROJECT_VERSION}
            -DFOLDER=${pages} -P "${CMAKE_CURRENT_LIST_FILE}"
        DEPENDS heddle_tool "${CMAKE_CURRENT_LIST_FILE}" VERBATIM
        COMMENT "Writing the manual page and the completions of shells")
    add_custom_target(heddle_pages ALL DEPENDS ${files})
    install(FILES "${pages}/heddle.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${pages}/heddle.bash" RENAME heddle
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${pages}/_heddle" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${pages}/heddle.fish"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
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
    file(WRITE "${FOLDER}/_heddle" "#compdef heddle\n_files\n")
    file(WRITE "${FOLDER}/heddle.fish" "complete -c heddle\n")
    return()
endif()

ask(help --help)
as_roff(body "${help}")
set(page ".TH HEDDLE 1 \"\" \"heddle ${VERSION}\"\n.SH NAME\nheddle \\- GPU kernels written once in C\n\
.SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIFILE\\fR]\n.SH DESCRIPTION\n${body}")
set(cases "")
set(zsh_cases "")
set(fish_cases "")
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
    string(APPEND zsh_cases "    '${command}') choices=(${options}) ;;\n")
    string(APPEND fish_cases "        case '${command}'\n            printf '%s\\n' ${options}\n")
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
set(zsh_groups "")
set(fish_groups "")
foreach(first ${seconds})
    list(JOIN seconds_of_${first} " " names)
    string(APPEND groups "        ${first}) names='${names}' ;;\n")
    string(APPEND zsh_groups "    ${first}) names=(${names}) ;;\n")
    string(APPEND fish_groups "        case ${first}\n            set names ${names}\n")
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
file(CONFIGURE OUTPUT "${FOLDER}/_heddle" @ONLY CONTENT [=[
#compdef heddle
# Completion of heddle for zsh: commands, their options, and files.
local command=$words[2]
local -a names choices
if ((CURRENT == 2)); then
    compadd -- @firsts@
    return
fi
case $command in
@zsh_groups@esac
if (($#names)); then
    if ((CURRENT == 3)); then
        compadd -- $names
        return
    fi
    command="$command $words[3]"
fi
case $command in
@zsh_cases@esac
if [[ $words[CURRENT] == -* ]]; then
    compadd -- $choices
else
    _files
fi
]=])
file(CONFIGURE OUTPUT "${FOLDER}/heddle.fish" @ONLY CONTENT [=[
# Completion of heddle for fish: commands, their options, and files.
function __heddle_names
    set -l names @firsts@
    set -l words (commandline -opc)
    if test (count $words) -ge 2
        set names
        switch $words[2]
@fish_groups@        end
        test (count $words) -eq 2; or set names
    end
    if test (count $names) -gt 0
        printf '%s\n' $names
    end
end
function __heddle_options
    set -l words (commandline -opc)
    set -l command $words[2]
    set -l names
    switch $command
@fish_groups@    end
    if test (count $names) -gt 0
        set command "$command $words[3]"
    end
    switch $command
@fish_cases@    end
end
complete -c heddle -n 'test (count (__heddle_names)) -gt 0' -f -a '(__heddle_names)'
complete -c heddle -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__heddle_options)'
]=])
