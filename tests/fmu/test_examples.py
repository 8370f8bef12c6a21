"""Every example through FMPy: it runs, it plots, and what it shows is right."""

import json
import sys

import matplotlib
import numpy as np
import pytest
from conftest import RESULTS, ROOT, export, mbfmu

sys.path.insert(0, str(ROOT / "examples"))
import simulate as example  # noqa: E402

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

NAMES = sorted(file.stem for file in (ROOT / "examples").glob("*.json"))
G = 9.81
AT_REST_WITHOUT = {"crane": {"force": 500}, "quarter_car": {"road": 0.05}}


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("examples")
    return {name: export(ROOT / f"examples/{name}.json", folder) for name in NAMES}


def with_tolerance(file, tolerance, folder):
    """The model exported with both tolerances set."""
    settings = [text for key in ("rtol", "atol") for text in ("--set", f"solver.{key}={tolerance}")]
    return export(file, folder, *settings)


def rk4(rate, y, times, substeps=20):
    """A second solution, independent of everything under test."""
    rows = [np.array(y, float)]
    for begin, end in zip(times[:-1], times[1:]):
        h = (end - begin) / substeps
        y = rows[-1]
        for _ in range(substeps):
            k1 = rate(y)
            k2 = rate(y + h / 2 * k1)
            k3 = rate(y + h / 2 * k2)
            k4 = rate(y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        rows.append(y)
    return np.array(rows)


def at(result, time):
    return result[np.argmin(np.abs(result["time"] - time))]


@pytest.mark.parametrize("name", NAMES)
def test_simulates_and_plots(fmus, name):
    result = example.simulate(fmus[name], **AT_REST_WITHOUT.get(name, {}))
    assert len(result) > 50 and "energy" in result.dtype.names
    assert all(np.all(np.isfinite(result[output])) for output in result.dtype.names)
    assert any(np.ptp(result[output]) > 1e-3 for output in result.dtype.names if output not in ("time", "energy"))
    picture = RESULTS / "examples" / f"{name}.png"
    picture.parent.mkdir(parents=True, exist_ok=True)
    example.plot(result, picture)
    pixels = plt.imread(picture)[..., :3]
    outputs = len(result.dtype.names) - 1
    assert pixels.shape[0] > 200 and pixels.shape[1] > 300
    # The curves' own colour is there, in every diagram.
    curve = np.all(np.abs(pixels - np.array([0x3b, 0x52, 0x8b]) / 255) < 0.02, axis=-1)
    assert np.count_nonzero(curve) > 50 * outputs


@pytest.mark.parametrize("name", NAMES)
def test_assembles_and_is_documented(name):
    done = mbfmu("check", ROOT / f"examples/{name}.json")
    assert done.returncode == 0 and "initial pose: assembles" in done.stdout
    readme = (ROOT / "examples/README.md").read_text()
    entry = readme.split(f"**[{name}.json]({name}.json)**", 1)[1].split("\n\n")[0]
    assert len(entry.strip().splitlines()) == 2


# IFToMM benchmark A01; exact values by Jacobi elliptic functions.
def test_pendulum(tmp_path):
    result = example.simulate(with_tolerance(ROOT / "examples/pendulum.json", 1e-10, tmp_path))
    for time, x, y in ((1, 0.98629175113187532, -0.16501085312554117), (5, -0.94230543504375734, -0.33475433841400058),
                       (10, -0.27508746257611686, -0.96141920509912506)):
        row = at(result, time)
        assert abs(row["x"] - x) < 1e-8 and abs(row["y"] - y) < 1e-8
    # Released from the horizontal, the rod carries three times the weight's part along it.
    pull = np.hypot(result["pull[1]"], result["pull[2]"])
    assert np.max(np.abs(pull + 3 * G * result["y"])) < 1e-4


def four_bars(n):
    """IFToMM benchmark A02: n parallelogram four-bars in a row, as in the example with n = 2."""
    link = {"mass": 1, "inertia": "1/12", "markers": {"A": [-0.5, 0], "B": [0.5, 0]}}
    bodies = {"ground": {"markers": {f"A{i}": [i, 0] for i in range(n + 1)}}}
    joints = {}
    for i in range(n + 1):
        bodies[f"crank{i}"] = link
        joints[f"hip{i}"] = {"type": "revolute", "between": [f"ground.A{i}", f"crank{i}.A"],
                             "start": {"angle": "pi/2", "rate": -1}}
    for i in range(n):
        bodies[f"coupler{i}"] = link
        joints[f"knee{i}"] = {"type": "revolute", "between": [f"crank{i}.B", f"coupler{i}.A"],
                              "start": {"angle": "-pi/2", "rate": 1}}
        joints[f"elbow{i}"] = {"type": "revolute", "between": [f"coupler{i}.B", f"crank{i + 1}.B"]}
    return {"name": f"four_bars_{n}", "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints,
            "outputs": {"B0x": "crank0.B.x", "B0y": "crank0.B.y"}, "experiment": {"stop": 10, "step": 0.025}}


# On the parallelogram branch the motion of A02 is that of one pendulum. 1e-3 over 10 s at 400 points is the library's
# limit for "high precision".
@pytest.mark.parametrize("n, rtol, bound", [(2, 1e-6, 1e-3), (2, 1e-8, 1e-5), (2, 1e-10, 1e-7), (40, 1e-6, 1e-3),
                                            (40, 1e-8, 1e-5)])
def test_four_bars_keep_their_branch(tmp_path, n, rtol, bound):
    file = ROOT / "examples/four_bar.json"
    if n != 2:
        file = tmp_path / "four_bars.json"
        file.write_text(json.dumps(four_bars(n)))
    result = example.simulate(with_tolerance(file, rtol, tmp_path))
    assert len(result) == 401
    inertia, weight = (n + 1) / 3 + n, ((n + 1) / 2 + n) * G
    psi = rk4(lambda y: np.array([y[1], -weight / inertia * np.cos(y[0])]), [np.pi / 2, -1], result["time"])[:, 0]
    assert np.cos(psi[-1]) == pytest.approx({2: 0.32845811154081538, 40: 0.18051222668672839}[n], abs=1e-8)
    assert np.max(np.abs(result["B0x"] - np.cos(psi))) < bound
    assert np.max(np.abs(result["B0y"] - np.sin(psi))) < bound


def test_slider_crank(fmus):
    r, length = 0.1, 0.3
    result = example.simulate(fmus["slider_crank"], torque=0.3, c=0.0)
    angle = result["angle"]
    assert angle[0] == pytest.approx(np.pi / 3, abs=1e-12)
    position = r * np.cos(angle) + np.sqrt(length**2 - (r * np.sin(angle))**2)
    assert np.max(np.abs(result["position"] - position)) < 1e-9 + 1e-8 * 0.4  # atol + rtol times the size
    balance = result["energy"] - 0.3 * angle
    assert np.max(np.abs(balance - balance[0])) < 1e-6 * np.max(result["energy"])
    damped = example.simulate(fmus["slider_crank"], step=1e-3)
    lost = np.concatenate([[0], np.cumsum(np.diff(damped["time"]) * (damped["velocity"][1:]**2 + damped["velocity"][:-1]**2))])
    assert np.max(np.abs(damped["energy"] + lost - damped["energy"][0])) < 1e-4


# IVP test set; the values were computed in quadruple precision.
def test_andrews(fmus):
    result = example.simulate(fmus["andrews"], rtol=1e-8)
    expected = {"beta": 15.81077119515370710, "theta": -15.75637105841183947, "gamma": 0.04082224011964580,
                "phi": -0.53473011634207959, "delta": 0.52440996587995407, "omega": 0.53473011634207959,
                "epsilon": 1.04808074104193787}
    assert result["time"][-1] == pytest.approx(0.03)
    for name, value in expected.items():
        assert result[name][-1] == pytest.approx(value, rel=1e-6), name
    balance = result["energy"] - 0.033 * result["beta"]
    assert np.max(np.abs(balance - balance[0])) < 1e-6


def test_cart_pole(fmus):
    big, m, length, b, force = 1.0, 0.2, 0.5, 0.1, 0.8
    inertia = m * length**2 / 3 + m * length**2

    def rate(y):
        _, v, theta, omega = y  # the pole's centre is at (x - l sin theta, l cos theta)
        s, c = np.sin(theta), np.cos(theta)
        mass = np.array([[big + m, -m * length * c], [-m * length * c, inertia]])
        a = np.linalg.solve(mass, [force - b * v - m * length * s * omega**2, m * G * length * s])
        return np.array([v, a[0], omega, a[1]])

    result = example.simulate(fmus["cart_pole"], force=force)
    y = rk4(rate, [0, 0, np.deg2rad(5), 0], result["time"])
    assert np.max(np.abs(result["position"] - y[:, 0])) < 1e-5
    assert np.max(np.abs(result["angle"] - y[:, 2])) < 1e-5
    assert np.max(np.abs(y[:, 2])) > np.pi / 2  # it falls over


def test_crane(fmus):
    trolley, load, length, force = 800, 2000, 8, 500
    result = example.simulate(fmus["crane"], force=force)
    momentum = trolley * result["trolley_speed"] + load * result["load_vx"]
    assert np.max(np.abs(momentum - force * result["time"])) < 1e-3
    work = result["energy"] - force * result["trolley"]
    assert np.max(np.abs(work - work[0])) < 1e-2
    cable = np.hypot(result["load_x"] - result["trolley"], result["load_y"] - 10)
    assert np.max(np.abs(cable - length)) < 1e-8 * 10  # rtol times the size of the coordinates
    assert np.max(np.abs(result["swing"])) > 0.01


def test_quarter_car(fmus):
    ms, mu, ks, cs, kt, step = 300, 40, 18e3, 1.2e3, 180e3, 0.05
    result = example.simulate(fmus["quarter_car"], road=step)
    # Deflections from the new equilibrium: y' = A y, y = (wheel, body, their rates), starts 5 cm below it.
    a = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-(ks + kt) / mu, ks / mu, -cs / mu, cs / mu],
                  [ks / ms, -ks / ms, cs / ms, -cs / ms]])
    values, vectors = np.linalg.eig(a)
    start = np.linalg.solve(vectors, np.array([-step, -step, 0, 0]))
    y = (vectors @ (start[:, None] * np.exp(np.outer(values, result["time"])))).real
    assert np.max(np.abs(result["wheel"] - result["wheel"][0] - step - y[0])) < 1e-7
    assert np.max(np.abs(result["body"] - result["body"][0] - step - y[1])) < 1e-7
    assert np.max(np.abs(result["tyre_force"] - (ms + mu) * G + kt * y[0])) < kt * 1e-7


def test_chain(fmus):
    result = example.simulate(fmus["chain"])
    assert np.max(np.abs(result["energy"] - result["energy"][0])) < 1e-6
    assert np.max(np.hypot(result["tip_x"], result["tip_y"])) < 1 + 1e-9
    # With friction it ends up hanging, the hook carrying the weight of ten links.
    hanging = example.simulate(fmus["chain"], c=1.0, stop_time=20, step=0.1)
    assert np.all(np.diff(hanging["energy"]) < 1e-9)
    last = hanging[-1]
    assert last["tip_x"] == pytest.approx(0, abs=1e-3) and last["tip_y"] == pytest.approx(-1, abs=1e-4)
    assert last["hook[2]"] == pytest.approx(10 * 0.1 * G, rel=1e-3)


def test_gyroscope(fmus):
    result = example.simulate(fmus["gyroscope"])
    assert np.max(np.abs(result["energy"] - result["energy"][0])) < 1e-6
    assert np.max(np.abs(np.sqrt(result["x"]**2 + result["y"]**2 + result["z"]**2) - 0.08)) < 1e-7
    assert result["turns"][-1] == pytest.approx(200 * 2 / (2 * np.pi), rel=0.1)  # counted, not wrapped
    azimuth = np.unwrap(np.arctan2(result["y"], result["x"]))
    moment = (0.3 * 0.08 + 0.05 * 0.04) * G
    assert (azimuth[-1] - azimuth[0]) / 2 == pytest.approx(moment / (4e-4 * 200), rel=0.05)  # slow precession


def test_robot_arm(fmus):
    result = example.simulate(fmus["robot_arm"])
    assert result["shoulder"][0] == pytest.approx(np.pi / 4, abs=1e-12)
    upper, fore = np.pi / 4, np.pi / 4 - np.pi / 3
    assert result["x"][0] == pytest.approx(0.6 * np.cos(upper) + 0.5 * np.cos(fore), abs=1e-10)
    assert result["z"][0] == pytest.approx(0.4 + 0.6 * np.sin(upper) + 0.5 * np.sin(fore), abs=1e-10)
    reach = 0.6 * np.cos(result["shoulder"]) + 0.5 * np.cos(result["shoulder"] + result["elbow"])
    assert np.max(np.abs(result["x"] - reach * np.cos(result["base"]))) < 1e-6
    assert np.max(np.abs(result["y"] - reach * np.sin(result["base"]))) < 1e-6


def test_bennett(fmus):
    result = example.simulate(fmus["bennett"])
    assert np.max(np.abs(result["energy"] - result["energy"][0])) < 1e-6 * np.max(np.abs(result["energy"]))
    ratio = np.sin(np.deg2rad(45)) / np.sin(np.deg2rad(15))
    closure = np.sin(result["theta"] / 2) * np.sin(result["phi"] / 2) - ratio * np.cos(result["theta"] / 2) * np.cos(result["phi"] / 2)
    assert np.max(np.abs(closure)) < 1e-6
    assert np.ptp(result["theta"]) > 1
