#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# site.sh - builds docs/ and the API reference of the public headers as a site in build/site. Fails
# on any warning: a missing link target, anchor or navigation page. Installs MkDocs $mkdocs_version
# from PyPI into build/site-python, unless it is installed. Exit status: 0 built, 1 failed, 77 not
# run (the reason is printed).
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. ci/steps.sh
mkdocs_version=1.6.1
python=build/site-python

not_run()
{
    echo "      site not run: $1"
    exit 77
}

# Starts from an empty folder: a deleted page would otherwise hide a broken link.
api_reference()
{
    rm -rf build/site-api
    mkdir -p build/site-api
    doxygen Doxyfile
}

install_mkdocs()
{
    python3 -m venv "$python" &&
        "$python/bin/pip" install --quiet --disable-pip-version-check "mkdocs==$mkdocs_version"
}

command -v doxygen >/dev/null 2>&1 || not_run "no doxygen"
if command -v mkdocs >/dev/null 2>&1 && mkdocs --version | grep -q " $mkdocs_version "; then
    mkdocs=mkdocs
else
    mkdocs=$python/bin/mkdocs
    [ -x "$mkdocs" ] || install_mkdocs >"$(log_of "install mkdocs")" 2>&1 ||
        not_run "no MkDocs: $(tail -n 1 "$(log_of "install mkdocs")")"
fi
step "API reference" api_reference || exit 1
step "site, links checked" "$mkdocs" build --strict || exit 1
