#!/usr/bin/env python3
"""A NuGet package out of libraries that are compiled, where there is no SDK to pack them.

nupkg.py PROJECT.csproj FOLDER FRAMEWORK=LIBRARY.dll…

The package is FOLDER/ID.VERSION.nupkg, with what the project says of itself; beside each library lie its comments, LIBRARY.xml. Files have
the time SOURCE_DATE_EPOCH.
"""

import os
import pathlib
import sys
import time
import xml.etree.ElementTree as ET
import zipfile

NUSPEC = "http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
MANIFEST = "http://schemas.microsoft.com/packaging/2010/07/manifest"


def document(root):
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def nuspec(project, frameworks):
    """The package's description of itself."""
    root = ET.Element("package", xmlns=NUSPEC)
    metadata = ET.SubElement(root, "metadata")
    license = project["PackageLicenseExpression"]
    for name, text in [
        ("id", project["PackageId"]),
        ("version", project["Version"]),
        ("authors", project["PackageId"]),
        ("description", project["Description"]),
    ]:
        ET.SubElement(metadata, name).text = text
    ET.SubElement(metadata, "license", type="expression").text = license
    # Clients that are older than expressions of licences show this page.
    ET.SubElement(metadata, "licenseUrl").text = f"https://licenses.nuget.org/{license}"
    dependencies = ET.SubElement(metadata, "dependencies")
    for framework in frameworks:
        ET.SubElement(dependencies, "group", targetFramework=framework)
    return document(root)


def relations(spec):
    root = ET.Element("Relationships", xmlns=RELATIONS)
    ET.SubElement(root, "Relationship", Type=MANIFEST, Target=f"/{spec}", Id="R1")
    return document(root)


def types(names):
    """The type of each extension."""
    root = ET.Element("Types", xmlns=TYPES)
    known = {"rels": "application/vnd.openxmlformats-package.relationships+xml"}
    for extension in sorted({name.rsplit(".", 1)[1] for name in names}):
        ET.SubElement(root, "Default", Extension=extension, ContentType=known.get(extension, "application/octet"))
    return document(root)


def main(arguments):
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    project = {node.tag: node.text for node in ET.parse(arguments[0]).iter() if node.text}
    libraries = dict(argument.split("=", 1) for argument in arguments[2:])
    spec = f"{project['PackageId']}.nuspec"
    files = {"_rels/.rels": relations(spec), spec: nuspec(project, libraries)}
    for framework, library in libraries.items():
        for path in (pathlib.Path(library), pathlib.Path(library).with_suffix(".xml")):
            files[f"lib/{framework}/{path.name}"] = path.read_bytes()
    files["[Content_Types].xml"] = types(files)
    moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    out = pathlib.Path(arguments[1]) / f"{project['PackageId']}.{project['Version']}.nupkg"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name, moment[:6]), content, zipfile.ZIP_DEFLATED)
    return 0


sys.exit(main(sys.argv[1:]))
