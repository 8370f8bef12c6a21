"""Writes docs/model_reference.md from the schema of the model file; with --check it only tells whether that is up to date.

    python3 scripts/model_reference.py [--check]
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "multibody/mbfmu.schema.json"
PAGE = ROOT / "docs/model_reference.md"

schema = json.loads(SCHEMA.read_text(encoding="utf-8"))


def resolved(rules):
    """The rules with those they refer to merged in; what is said nearer wins."""
    if "$ref" not in rules:
        return rules
    name = rules["$ref"].removeprefix("#/$defs/")
    return {**resolved(schema["$defs"][name]), **{key: value for key, value in rules.items() if key != "$ref"}}


def kind(rules):
    """What stands there, in a word or two."""
    if "const" in rules:
        return f'`"{rules["const"]}"`'
    if "enum" in rules:
        return ", ".join(f'`"{word}"`' for word in rules["enum"])
    if "title" in rules:
        return rules["title"]
    types = rules.get("type", "")
    return " or ".join(types) if isinstance(types, list) else types


def rows(rules, prefix=""):
    """One row of the table per key, with those of objects inside by their path."""
    for key, member in rules.get("properties", {}).items():
        member = resolved(member)
        needed = key in rules.get("required", [])
        name = f"`{prefix}{key}`" + (" (required)" if needed else "")
        if "properties" in member and member.get("type") == "object" and "const" not in member:
            yield f"| {name} | object | | {member.get('description', '')} |"
            yield from rows(member, f"{prefix}{key}.")
        elif key != "type" or "const" not in member:
            default = f"`{json.dumps(member['default'])}`" if "default" in member else ""
            yield f"| {name} | {kind(member)} | {default} | {member.get('description', '')} |"


def table(rules):
    lines = list(rows(rules))
    return ["| key | value | default | meaning |", "|---|---|---|---|", *lines, ""] if lines else []


def entry(rules, level, name=""):
    """An object's description and keys; each of its kinds under a heading of its own."""
    rules = resolved(rules)
    kinds = [part["then"] for part in rules.get("allOf", []) if "then" in part]
    if "if" in rules and "type" in rules.get("properties", {}) and "$ref" in rules.get("then", {}):
        kinds = [rules["else"], rules["then"]]
    if not kinds:
        return [*([rules["description"], ""] if name and "description" in rules else []), *table(rules)]
    lines = []
    for part in map(resolved, kinds):
        lines += [f"{'#' * level} {part['properties']['type']['const']}", ""]
        lines += [part["description"], "", *table(part)]
    return lines


def page():
    lines = ["# Reference of the model file", "",
             "Made from `multibody/mbfmu.schema.json` by `scripts/model_reference.py`; [model_file.md](model_file.md) "
             "explains how the parts play together.", "", resolved(schema)["description"],
             "A number may be an expression of parameters in quotes: `\"m*L^2/12\"`, `\"30*deg\"`.", "", "## Sections", ""]
    lines += ["| key | meaning |", "|---|---|"]
    for key, rules in schema["properties"].items():
        rules = resolved(rules)
        needed = " (required)" if key in schema["required"] else ""
        words = f"{kind(rules)}: " if "enum" in rules else ""
        lines.append(f"| `{key}`{needed} | {words}{rules.get('description', '')} |")
    lines.append("")
    for key, rules in schema["properties"].items():
        rules = resolved(rules)
        if rules.get("type") != "object":
            continue
        lines += [f"## {key}", "", rules["description"], ""]
        if key == "solver" or key == "experiment":
            lines += table(rules)
            continue
        spaces = [("", rules)] if "additionalProperties" in rules else [
            (" in the plane", schema["else"]["properties"][key]), (" in space", schema["then"]["properties"][key])]
        for where, content in spaces:
            lines += [f"## {key}{where}", ""] if where else []
            for name, member in content.get("properties", {}).items():
                lines += [f"### {name}", "", *entry(member, 3, name)]
            lines += entry(content["additionalProperties"], 3)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
            sys.exit("docs/model_reference.md is stale; run python3 scripts/model_reference.py")
    else:
        PAGE.write_text(page(), encoding="utf-8")
