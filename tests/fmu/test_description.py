"""What modelDescription.xml and terminalsAndIcons.xml say, for every example."""

import struct
import subprocess
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from pathlib import Path

import fmpy
import numpy as np
import pytest
from conftest import ROOT, export
from fmpy import simulate_fmu
from fmpy.validation import validate_fmu

EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.json"))


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    return {name: export(ROOT / f"examples/{name}.json", folder) for name in EXAMPLES}


def tree(fmu, name="modelDescription.xml"):
    with zipfile.ZipFile(fmu) as archive:
        return ElementTree.fromstring(archive.read(name))


def by_name(root):
    return {node.get("name"): node for node in root.find("ModelVariables")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_valid(fmus, name, tmp_path):
    assert validate_fmu(str(fmus[name])) == []
    file = tmp_path / "terminalsAndIcons.xml"
    with zipfile.ZipFile(fmus[name]) as archive:
        file.write_bytes(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    schema = Path(fmpy.__file__).parent / "schema/fmi3/fmi3TerminalsAndIcons.xsd"
    done = subprocess.run(["xmllint", "--noout", "--schema", schema, file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_variable_is_described(fmus, name):
    for variable in by_name(tree(fmus[name])).values():
        if variable.get("causality") != "parameter" or variable.get("name").startswith("solver."):
            assert len(variable.get("description", "")) > 3, variable.get("name")


def test_descriptions_of_outputs_say_what_they_are(fmus):
    described = {name: node.get("description") for name, node in by_name(tree(fmus["slider_crank"])).items()}
    assert described["angle"] == "angle of main"
    assert described["side_force"] == "reaction force of guide on its second body, y"
    assert described["energy"] == "kinetic and potential energy"
    described = {name: node.get("description") for name, node in by_name(tree(fmus["crane"])).items()}
    assert described["swing"] == "atan2(load.x - trolley.x, trolley.y - load.y)"
    assert described["load_x"] == "x of load"


def test_units_have_exponents_and_other_displays(fmus):
    root = tree(fmus["cart_pole"])
    units = {unit.get("name"): unit for unit in root.find("UnitDefinitions")}
    assert units["N.s/m"].find("BaseUnit").attrib == {"kg": "1", "s": "-1"}
    degrees = units["rad"].find("DisplayUnit")
    assert degrees.get("name") == "deg" and float(degrees.get("factor")) == pytest.approx(180 / np.pi)
    types = {node.get("name"): node for node in root.find("TypeDefinitions")}
    variables = by_name(root)
    assert types[variables["angle"].get("declaredType")].get("displayUnit") == "deg"
    # Nobody wants to see a crane in millimetres.
    assert types[variables["position"].get("declaredType")].get("displayUnit") is None


def test_solver_parameters_have_types_and_ranges(fmus):
    root = tree(fmus["two_link"])
    variables = by_name(root)
    types = {node.get("name"): [item.get("name") for item in node]
             for node in root.find("TypeDefinitions").findall("EnumerationType")}
    choice = variables["solver.integrator"]
    assert choice.tag == "Enumeration" and choice.get("variability") == "fixed"
    assert types[choice.get("declaredType")][int(choice.get("start")) - 1] == "lstable"
    nodes = variables["solver.lstable.nodes"]
    assert types[nodes.get("declaredType")] == ["equidistant", "chebyshev", "legendre", "radau"]
    r = variables["solver.lstable.r"]
    assert (r.tag, r.get("min"), r.get("max")) == ("Int64", "2", "8")
    rho = variables["solver.generalizedAlpha.rho"]
    assert (rho.tag, rho.get("min"), rho.get("max"), rho.get("start")) == ("Float64", "0", "1", "0.8")
    for name in ("relativeTolerance", "absoluteTolerance", "maxStep"):
        assert variables["solver." + name].get("variability") == "tunable"
    for name in ("steps", "jacobians", "order", "stepSize"):
        # An integer could change in Event Mode only.
        assert variables["solver." + name].tag == "Float64"
        assert variables["solver." + name].get("variability") == "continuous"
    for name in ("mechanism.energy", "mechanism.constraintResidual"):
        assert variables[name].get("causality") == "local"


def dependencies(root, element):
    names = {node.get("valueReference"): node.get("name") for node in root.find("ModelVariables")}
    return {names[node.get("valueReference")]: [names[r] for r in node.get("dependencies").split()]
            for node in root.find("ModelStructure").findall(element)}


def test_outputs_that_follow_inputs_directly_and_those_that_do_not(fmus):
    outputs = dependencies(tree(fmus["quarter_car"]), "Output")
    assert outputs["tyre_force"] == ["road"]
    assert outputs["energy"] == ["road"]
    assert outputs["body"] == outputs["wheel"] == outputs["solver.steps"] == []
    root = tree(fmus["slider_crank"])
    outputs = dependencies(root, "Output")
    assert outputs["side_force"] == ["torque"] and outputs["speed"] == []
    assert all(len(node.get("dependenciesKind").split()) == len(node.get("dependencies").split())
               for node in root.find("ModelStructure"))
    assert set(dependencies(root, "InitialUnknown")) == set(outputs)


def test_terminals_connect_joints(fmus):
    root = tree(fmus["cart_pole"], "terminalsAndIcons/terminalsAndIcons.xml")
    terminals = {node.get("name"): {member.get("memberName"): (member.get("variableName"), member.get("variableKind"))
                                    for member in node.findall("TerminalMemberVariable")}
                 for node in root.find("Terminals")}
    assert terminals == {"slide": {"s": ("position", "signal"), "v": ("velocity", "signal"), "f": ("force", "inflow")},
                         "hinge": {"phi": ("angle", "signal"), "w": ("rate", "signal")}}
    assert tree(fmus["pendulum"], "terminalsAndIcons/terminalsAndIcons.xml").find("Terminals") is None


def pixels(png):
    """An 8-bit RGB picture, from the chunks of its file."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, place = {}, 8
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place:place + 8])
        data = png[place + 8:place + 8 + size]
        assert struct.unpack(">I", png[place + 8 + size:place + 12 + size])[0] == zlib.crc32(kind + data)
        chunks[kind] = data
        place += 12 + size
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    return rows[:, 1:].reshape(height, width, 3).astype(int)


@pytest.mark.parametrize("name", EXAMPLES)
def test_pictures_show_the_mechanism(fmus, name):
    with zipfile.ZipFile(fmus[name]) as archive:
        icon = pixels(archive.read("terminalsAndIcons/icon.png"))
        svg = ElementTree.fromstring(archive.read("terminalsAndIcons/icon.svg"))
    assert icon.shape == (256, 256, 3)
    painted = np.any(icon != 255, axis=2)
    assert 0.005 < painted.mean() < 0.7
    # Nothing of importance is cut off.
    assert painted[:2].mean() < 0.1 and painted[:, :2].mean() < 0.1
    assert len(svg) > 2 and svg[0].tag.endswith("title")


def test_documentation_is_complete(fmus):
    with zipfile.ZipFile(fmus["andrews"]) as archive:
        page = archive.read("documentation/index.html").decode()
    for text in ("<svg", "epsilon", "solver.lstable.nodes", "drive torque on the first body", "stiffness (l",
                 "M(q)", "licenses/license.txt"):
        assert text in page, text
    # It shows itself without anything from elsewhere.
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page
    ElementTree.fromstring(page[page.index("<svg"):page.index("</svg>") + 6])


@pytest.mark.parametrize("arrays", [False, True])
def test_vectors(tmp_path, arrays):
    fmu = export(ROOT / "examples/pendulum.json", tmp_path, *(["--arrays"] if arrays else []))
    variables = by_name(tree(fmu))
    if arrays:
        assert variables["pull"].find("Dimension").get("start") == "2" and "pull[1]" not in variables
    else:
        assert {"pull[1]", "pull[2]"} <= set(variables)
    assert validate_fmu(str(fmu)) == []
    outputs = ["pull"] if arrays else ["pull[1]", "pull[2]"]
    result = simulate_fmu(str(fmu), stop_time=1, output_interval=0.1, output=["x", "y", *outputs])
    pull = result["pull"] if arrays else np.stack([result["pull[1]"], result["pull[2]"]], axis=1)
    assert pull.shape == (11, 2)
    # Released from the horizontal, the rod carries three times the weight's part along it.
    assert np.max(np.abs(np.hypot(*pull.T) + 3 * 9.81 * result["y"])) < 1e-4
