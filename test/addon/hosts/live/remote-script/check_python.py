"""Lists what Python 3.7 doesn't know in the files that are given: syntax, and newer names of the library."""

import ast
import sys

NEWER = {
    "3.8": """math.prod math.dist math.comb math.perm math.isqrt functools.cached_property functools.singledispatchmethod
        shlex.join importlib.metadata statistics.fmean typing.Protocol typing.TypedDict typing.Literal typing.Final
        multiprocessing.shared_memory os.add_dll_directory time.CLOCK_UPTIME_RAW as_integer_ratio
        contextlib.AsyncExitStack asyncio.create_task_name socket.has_dualstack_ipv6 socket.create_server""",
    "3.9": """math.lcm math.nextafter math.ulp graphlib zoneinfo random.randbytes importlib.resources.files
        functools.cache removeprefix removesuffix is_relative_to asyncio.to_thread ast.unparse with_stem""",
    "3.10": """contextlib.aclosing itertools.pairwise bit_count anext aiter EncodingWarning zip.strict
        statistics.correlation dataclasses.KW_ONLY types.NoneType hashlib.file_digest os.eventfd""",
    "3.11": """tomllib contextlib.chdir math.cbrt math.exp2 ExceptionGroup add_note datetime.UTC asyncio.TaskGroup
        enum.StrEnum operator.call typing.Self asyncio.timeout""",
}
NAMES = {name: version for version, names in NEWER.items() for name in names.split()}


def dotted(node, modules):
    """The full name of what a name or an attribute means, as far as the imports tell."""
    if isinstance(node, ast.Attribute):
        return dotted(node.value, modules) + "." + node.attr
    return modules.get(node.id, node.id) if isinstance(node, ast.Name) else ""


def imported(tree):
    """Full names by the names that the imports give them."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                names[each.asname or each.name.split(".")[0]] = each.name if each.asname else each.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.update({each.asname or each.name: "%s.%s" % (node.module, each.name) for each in node.names})
    return names


def newer_in(tree):
    """Yields what is newer than 3.7, with its line."""
    modules = imported(tree)
    for node in ast.walk(tree):
        names = []
        if isinstance(node, (ast.Attribute, ast.Name)):
            full = dotted(node, modules)
            names = [full, full.rsplit(".", 1)[-1]]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module] + ["%s.%s" % (node.module, each.name) for each in node.names]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr) and isinstance(node.left, ast.Dict):
            yield node.lineno, "dict |"
        elif isinstance(node, ast.Call) and dotted(node.func, modules) == "zip" and node.keywords:
            yield node.lineno, "zip(strict=…)"
        elif isinstance(node, ast.Subscript) and dotted(node.value, modules) in ("dict", "list", "set", "tuple"):
            yield node.lineno, "list[…]"
        for name in names:
            if name in NAMES:
                yield node.lineno, name


def check(path):
    """Yields a line of text for each finding."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        tree = ast.parse(text, path, feature_version=(3, 7))
    except SyntaxError as error:
        yield "%s:%s: %s" % (path, error.lineno, error.msg)
        return
    # Python's own parser lets the "=" of an f-string through at any feature version.
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "%s:%d: f-string" % (path, node.lineno)
    for line, said in newer_in(tree):
        yield "%s:%d: %s" % (path, line, said)


found = [each for path in sys.argv[1:] for each in check(path)]
print("\n".join(found))
sys.exit(1 if found else 0)
