#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# labels: once
# What bash, zsh and fish offer behind `heddle`: commands, second words, options and files.
. "$(dirname "$0")/../check.sh"
pages=$HEDDLE_BUILD_DIR/pages
cd "$scratch" || exit 1
[ -f "$pages/_heddle" ] || { echo "the completions were not built"; exit 77; }
: >zz_data.npy
missing="" tried=""

# offers_SHELL WORDS...: what the shell offers for the last word, sorted, in one line.
offers_bash()
{
    bash --norc -c '. "$1/heddle.bash"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; printf "%s\n" "${COMPREPLY[@]}"' \
        bash "$pages" heddle "$@" | sort | paste -s -d ' ' -
}

# zsh runs the function with stand-ins for the two builtins that a terminal has.
offers_zsh()
{
    zsh -f -c 'pages=$1; shift; words=("$@"); CURRENT=$#
        compadd() { shift; for name in "$@"; do [[ $name == $words[CURRENT]* ]] && print -r -- $name; done }
        _files() { for name in ${words[CURRENT]}*(N); do print -r -- $name; done }
        . $pages/_heddle' zsh "$pages" heddle "$@" | sort | paste -s -d ' ' -
}

offers_fish()
{
    HOME=$scratch XDG_CONFIG_HOME=$scratch fish --no-config -c '
        source $argv[1]/heddle.fish; complete -C "$argv[2..-1]"' "$pages" heddle "$@" 2>"$scratch/said" |
        cut -f 1 | sort | paste -s -d ' ' -
}

for shell in bash zsh fish; do
    command -v $shell >/dev/null || { missing="$missing $shell"; continue; }
    tried="$tried $shell"
    equal "$shell: a command" "$(offers_$shell redu)" reduce
    equal "$shell: every command" "$(offers_$shell '' | wc -w | tr -d ' ')" \
        "$({ "$tool" --help | awk '/^[^ ]/ { listed = /^[a-z]+( \(.*\))?:$/ && !/^(options|environment|examples):/ }
            listed && /^  / { print $1 }'; printf '%s\n' help --help --version; } | sort -u | wc -l | tr -d ' ')"
    equal "$shell: a second word" "$(offers_$shell bench redu)" reduce
    equal "$shell: an option" "$(offers_$shell reduce --colu)" --column
    equal "$shell: options of a command of two words" "$(offers_$shell bench reduce --cac)" --cache
    equal "$shell: every option" "$(offers_$shell info -- | tr ' ' '\n' | grep -c '^--')" \
        "$("$tool" info --help | grep -c '^  --')"
    equal "$shell: files" "$(offers_$shell reduce zz_)" zz_data.npy
done
[ -z "$missing" ] || echo "not here:$missing"
[ -n "$tried" ] || { echo "none of bash, zsh and fish is here"; exit 77; }
finish
