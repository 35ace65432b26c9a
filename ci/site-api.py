# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook (mkdocs.yml): adds the API reference, which Doxygen has written to build/site-api/api,
to the site, so that links to it are checked like links between pages."""
import os

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

FOLDER = "build/site-api"


def on_files(files, config):
    top = os.path.join(os.path.dirname(config.config_file_path), FOLDER)
    if not os.path.exists(os.path.join(top, "api", "index.html")):
        raise PluginError(f"no API reference in {FOLDER}/api: run doxygen first (ci/site.sh does)")
    for folder, _, names in os.walk(os.path.join(top, "api")):
        for name in sorted(names):
            path = os.path.join(folder, name)
            files.append(File.generated(config, os.path.relpath(path, top), abs_src_path=path))
    return files
