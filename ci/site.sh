#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# site.sh - the pages of docs/ and the API reference of the public headers as a site in build/site.
# Fails at any warning: a link, an anchor or a page of the navigation that does not exist. Takes
# MkDocs $mkdocs_version from PyPI, into build/site-python, unless it is installed. Exit status:
# 0 built, 1 failed, 77 not run (it has said why).
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

# Nothing of the last build stays: a page that is gone would hide a broken link.
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
