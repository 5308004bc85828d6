"""The rules that Scripts/check enforces, as tables. README.md, Architecture, says why; check_self_test.py plants one
violation of each."""

import re
from typing import NamedTuple

# --- Imports -----------------------------------------------------------------------------------------------------------

# The rules of the product: no operating system, no clock, no unsafe code.
PURE = [
    "ZoneKitRecords", "ZoneKitMetrics", "ZoneKitCloud", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitTableClient",
    "ZoneKitDocuments", "ZoneKitDocumentServer", "ZoneKitPush", "ZoneKitCloudProcess", "ZoneKitSync",
    "ZoneKitDeviceHost", "ZoneKitDeviceProcess", "ZoneKitNannyAndMe", "ZoneKitSwissCoin", "ZoneKitDietLog", "ZoneKitOwnApps", "ZoneKitWire", "ZoneKitScenarios", "ZoneKitTimeline",
    "ZoneKitMemoryStores", "ZoneKitSimulator", "ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue",
    "ZoneKitRelationServer",
]
MACHINES = ["ZoneKitCloud", "ZoneKitPush", "ZoneKitSync"]
SWIFT_MODULES = PURE + [
    "ZoneKitThreads", "ZoneKitEventLoop", "ZoneKitWebSocket", "ZoneKitLineEditor", "ZoneKitSQL", "ZoneKitStorage", "ZoneKitService", "ZoneKitProcesses",
    "ZoneKitServer",
    "ZoneKit",
    "ZoneKitCommandLine",
]

# Module -> what it may import. A folder of Sources that is not here is a finding: give it a row first. ZoneKitThreads
# and Synchronization are for drivers that are reached from a second thread (waking the loop, checkpoints); the machines have
# nothing to lock.
IMPORTS = {
    "ZoneKitRecords": [],
    "ZoneKitMetrics": [],
    "ZoneKitCloud": ["ZoneKitRecords"],
    "ZoneKitTables": ["ZoneKitRecords", "ZoneKitRelations"],
    "ZoneKitSchema": ["ZoneKitRecords"],
    "ZoneKitTableServer": ["ZoneKitRecords", "ZoneKitTables", "ZoneKitCloud"],
    "ZoneKitTableClient": ["ZoneKitRecords", "ZoneKitTables", "ZoneKitRelations"],
    "ZoneKitSwissCoin": ["ZoneKitRecords", "ZoneKitTables", "ZoneKitSync", "ZoneKitDeviceHost"],
    "ZoneKitRelations": ["ZoneKitRecords"],
    "ZoneKitExpressions": ["ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelations"],
    "ZoneKitCatalogue": ["ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions"],
    "ZoneKitRelationServer": [
        "ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitTables",
    ],
    "ZoneKitDocuments": ["ZoneKitRecords"],
    "ZoneKitDocumentServer": ["ZoneKitRecords", "ZoneKitDocuments", "ZoneKitCloud"],
    "ZoneKitDietLog": ["ZoneKitRecords", "ZoneKitDocuments", "ZoneKitSync", "ZoneKitDeviceHost"],
    "ZoneKitOwnApps": [
        "ZoneKitRecords", "ZoneKitDocuments", "ZoneKitRelations", "ZoneKitTables", "ZoneKitSync", "ZoneKitDeviceHost",
    ],
    "ZoneKitPush": ["ZoneKitRecords"],
    "ZoneKitCloudProcess": [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitPush", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitDocuments",
        "ZoneKitDocumentServer", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
    ],
    "ZoneKitSync": ["ZoneKitRecords"],
    "ZoneKitWire": ["ZoneKitRecords", "ZoneKitMetrics", "ZoneKitTables", "ZoneKitRelations", "ZoneKitDocuments"],
    "ZoneKitDeviceHost": ["ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitWire"],
    "ZoneKitDeviceProcess": [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitRelations", "ZoneKitTableClient", "ZoneKitDeviceHost",
    ],
    "ZoneKitNannyAndMe": ["ZoneKitRecords", "ZoneKitSync", "ZoneKitDeviceHost"],
    "ZoneKitScenarios": [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitDeviceHost", "ZoneKitWire",
    ],
    "ZoneKitTimeline": ["ZoneKitRecords"],
    "ZoneKitMemoryStores": [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitRelations",
        "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
    ],
    "ZoneKitSimulator": [
        "ZoneKitRecords", *MACHINES, "ZoneKitMemoryStores", "ZoneKitDeviceHost", "ZoneKitWire", "ZoneKitScenarios", "ZoneKitTimeline",
        "ZoneKitTables", "ZoneKitTableServer", "ZoneKitTableClient", "ZoneKitDocuments", "ZoneKitDocumentServer",
        "ZoneKitCloudProcess", "ZoneKitDeviceProcess", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue",
        "ZoneKitRelationServer",
    ],
    "ZoneKit": [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitScenarios", "ZoneKitTimeline",
        "ZoneKitMemoryStores", "ZoneKitSimulator",
    ],
    "ZoneKitThreads": ["Glibc"],
    "ZoneKitEventLoop": ["ZoneKitThreads", "ZoneKitCUV", "Glibc"],
    "ZoneKitWebSocket": ["ZoneKitCWslay", "Glibc"],
    "ZoneKitLineEditor": ["ZoneKitCEdit", "Glibc"],
    "ZoneKitSQL": ["ZoneKitRecords", "ZoneKitSchema", "ZoneKitThreads", "ZoneKitCPgQuery", "Glibc"],
    "ZoneKitStorage": [
        "ZoneKitRecords", "ZoneKitCloud", "ZoneKitSync", "ZoneKitTables", "ZoneKitTableServer", "ZoneKitThreads", "ZoneKitCSQLite",
        "ZoneKitSchema", "ZoneKitRelations", "ZoneKitExpressions", "ZoneKitCatalogue", "ZoneKitRelationServer",
        "ZoneKitMetrics", "Glibc", "Synchronization",
    ],
    "ZoneKitService": [
        "ZoneKitRecords", *MACHINES, "ZoneKitDeviceHost", "ZoneKitWire", "ZoneKitTables", "ZoneKitTableServer",
        "ZoneKitTableClient", "ZoneKitDocuments", "ZoneKitDocumentServer", "ZoneKitCloudProcess", "ZoneKitDeviceProcess", "ZoneKitEventLoop",
        "ZoneKitWebSocket", "ZoneKitSchema", "ZoneKitSQL", "ZoneKitCatalogue", "ZoneKitExpressions", "ZoneKitRelations",
        "ZoneKitRelationServer", "ZoneKitMetrics",
        "ZoneKitStorage", "ZoneKitCCrypto", "ZoneKitCPage", "Glibc",
    ],
    "ZoneKitProcesses": [
        "ZoneKitRecords", "ZoneKitSync", "ZoneKitDeviceHost", "ZoneKitWire", "ZoneKitScenarios", "ZoneKitThreads",
        "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitTables", "Glibc",
    ],
    "ZoneKitServer": [
        "ZoneKitRecords", "ZoneKitSchema", "ZoneKitRelationServer", "ZoneKitTables", "ZoneKitDocuments", "ZoneKitThreads",
        "ZoneKitEventLoop", "ZoneKitStorage", "ZoneKitService", "ZoneKitCloud", "ZoneKitWire", "ZoneKitMemoryStores",
    ],
    "ZoneKitCommandLine": [module for module in SWIFT_MODULES if module != "ZoneKitCommandLine"] + ["ZoneKitCCatalogue", "Glibc"],
}

# Module maps, without Swift files.
SYSTEM_LIBRARIES = ["ZoneKitCUV", "ZoneKitCSQLite", "ZoneKitCCrypto", "ZoneKitCWslay", "ZoneKitCEdit", "ZoneKitCPgQuery", "ZoneKitCHTTPParser"]

# Targets in C, without settings of Swift.
C_TARGETS = ["ZoneKitCCatalogue", "ZoneKitCPage"]

# What tests may import. No XCTest: the tests are counted in Swift Testing's event stream.
TEST_IMPORTS = [
    module for module in SWIFT_MODULES if module != "ZoneKitNannyAndMe"
] + SYSTEM_LIBRARIES + ["ZoneKitStoreConformance", "ZoneKitSchemaFixtures", "ZoneKitAppDevice", "Testing", "Foundation", "Glibc"]

# The reference app is one app among others: only these know it, zonekit apart.
TESTS_OF_THE_APP = ["ZoneKitNannyAndMeTests", "ZoneKitCommandLineTests"]

# --- The manifest ------------------------------------------------------------------------------------------------------

SETTINGS_OF_PURE_TARGETS = ["strictMemorySafety", "treatAllWarnings"]
SETTINGS_OF_ALL_TARGETS = ["treatAllWarnings"]

# --- Sizes -------------------------------------------------------------------------------------------------------------

LINES_OF_A_FILE = 400
# The live page is one module script, so that it loads with one request.
LINES_OF_A_PAGE_SCRIPT = 1_400
PAGE_SCRIPTS = ("Diagnostics/Page/page.js",)
LINES_OF_A_FUNCTION = 60

# --- Words -------------------------------------------------------------------------------------------------------------


class Word(NamedTuple):
    """One banned pattern. `within` says what is searched: "code" is Swift without comments and string texts, "strings" the
    texts of Swift string literals, "text" the whole of any text file."""

    rule: str
    folders: tuple
    within: str
    pattern: re.Pattern
    right: str


EVERYWHERE = ("",)
SWIFT = ("Sources/", "Tests/", "Diagnostics/", "Package.swift")
SOURCES = ("Sources/",)
TESTS = ("Tests/",)
PURE_SOURCES = tuple(f"Sources/{module}/" for module in PURE)
# ZoneKitSchema writes the SQL of a developer's schema, which no database is given.
ALL_BUT_STORAGE = tuple(
    f"Sources/{module}/" for module in IMPORTS if module not in ("ZoneKitStorage", "ZoneKitSchema", "ZoneKitExpressions"))
# The folders of drivers of the two processes. What virtual time needs too is written in a process.
DRIVERS = tuple(
    f"Sources/ZoneKitService/{folder}/"
    for folder in ("Server", "Tables", "Objects", "Documents", "Accounts", "Realtime", "Device")
)
CODE_FILES = ("Sources/", "Tests/", "Scripts/", "Diagnostics/", ".ci/", "Package.swift")


def word(rule, folders, within, pattern, right):
    return Word(rule, folders, within, re.compile(pattern, re.MULTILINE), right)


WORDS = [
    word("unsafe", PURE_SOURCES, "code", r"(?<![.\w])unsafe\b|\b[uU]nsafe\w+",
         "a pure target computes on values; pointers belong in EventLoop and Storage"),
    word("class", PURE_SOURCES, "code", r"(?<![.\w])class\b",
         "a struct or an enum: a machine is a value that can be copied, compared and replayed"),
    word("actor", PURE_SOURCES, "code", r"(?<![.\w])actor\s+(?!in\b)[A-Za-z_`]",
         "a struct: one loop drives the machines, there is nothing to isolate"),
    word("async", PURE_SOURCES, "code", r"(?<![.\w])(?:async|await)\b",
         "an effect that is returned, and an event that reports its outcome"),
    word("task", PURE_SOURCES, "code", r"(?<![.\w])(?:Task|TaskGroup|TaskLocal)\b",
         "an effect that is returned: a task leaves the simulation"),
    word("print", PURE_SOURCES, "code", r"(?<![.\w])(?:print|debugPrint|dump|readLine)\s*\(",
         "a fact among the effects; only zonekit talks to people"),
    word("clock", PURE_SOURCES, "code",
         r"\b(?:ContinuousClock|SuspendingClock|SystemClock|clock_gettime|gettimeofday|Date\s*\(\s*\))",
         "the time as an argument"),
    word("randomness", SWIFT, "code",
         r"\bSystemRandomNumberGenerator\b|\.(?:shuffled|shuffle|randomElement)\s*\(\s*\)|\.random\s*\((?!(?:[^()]|\([^()]*\))*\busing:)",
         "an inout RandomNumberGenerator as an argument: one with a seed, or Storage's SystemGenerator where a driver makes it"),
    word("randomness", PURE_SOURCES, "code", r"\bSystemGenerator\b",
         "an inout RandomNumberGenerator as an argument"),
    word("hash", PURE_SOURCES, "code", r"\bhashValue\b|\bHasher\s*\(",
         "the value itself; hashes differ in every process"),
    word("environment", PURE_SOURCES, "code", r"\b(?:CommandLine|ProcessInfo)\b",
         "an argument: a pure target knows nothing of the process around it"),
    word("sql", ALL_BUT_STORAGE, "strings",
         r"\A\s*(?:SELECT\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\b|REPLACE\s+INTO\b|UPDATE\s+\w+\s+SET\b|DELETE\s+FROM\b"
         r"|PRAGMA\s|VACUUM\b|(?:CREATE|ALTER|DROP)\s+(?:TABLE|VIEW|TRIGGER|(?:UNIQUE\s+)?INDEX|VIRTUAL)\b"
         r"|BEGIN\s+(?:IMMEDIATE|DEFERRED|EXCLUSIVE|TRANSACTION)\b|ATTACH\s+DATABASE\b)",
         "a verb of the store protocol; SQL lives in Storage"),
    word("sleep", TESTS, "code",
         r"(?<![.\w])(?<!func )(?:sleep|usleep|nanosleep)\s*\(|\b(?:Task|Thread|\w*[cC]lock)\s*(?:\(\))?\.\s*sleep\b",
         "hand the machine its time, or wait for the effect itself"),
    word("sleep", ("Tests/Interop/",), "text", r"(?:^|[;&|])[ \t]*sleep[ \t]+[\d.$\"]|\btime\.sleep\s*\(",
         "wait for the line, the reply or the end of the process that is expected"),
    word("forced try", SWIFT, "code", r"\btry!",
         "`try` in a function that throws, or a catch that says what to do"),
    word("swallowed error", SWIFT, "code", r"\bcatch\b[^{}\n]*\{\s*\}",
         "handle it, report it as a fact, or let it be thrown"),
    word("exported import", SWIFT, "code", r"@_exported\b",
         "each file imports what it uses"),
    word("decision in a driver", DRIVERS, "code",
         r"\b(?:Row|Cloud|Object|Account|Document|Channel|Function|Session|Change)Error\s*\(\s*\."
         r"|(?<!case )\.refused\s*\((?!let\b|ServiceRefusal\()",
         "a message to ZoneKitCloudProcess or ZoneKitDeviceProcess, which refuses it in virtual time too"),
    word("vague name", SOURCES, "code",
         r"\b(?:struct|enum|class|protocol|actor|typealias|extension)\s+\w*(?:Manager|Helpers?|Utils?|Utilities)\b",
         "a name that says what it is or does"),
    word("unfinished", CODE_FILES, "text", r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b",
         "finish it, or make the missing part an explicit error"),
    word("local path", EVERYWHERE, "text", r"(?<![\w.~/-])/(?:home|Users|root|work|workspace|builds)/\w",
         "a path relative to the repository, or an argument"),
]



class Allowed(NamedTuple):
    """A line that may break a rule: those of the file that contain the text. One without such a line is a finding itself."""

    rule: str
    path: str
    text: str
    reason: str


_SERVICE = "Sources/ZoneKitService/"
_OWN = [
    ("Server/ZoneService.swift", "reply(.refused(error))", "credentials are verified with keys, which only a driver has"),
    ("Server/ZoneService.swift", "CloudError(", "--auth strict closes a container to credentials of this protocol"),
    ("Server/ZoneService+Routes.swift", "CloudError(", "the memory for requests is the server's"),
    ("Tables/RowRoute.swift", "the server is busy", "the memory for requests is the server's"),
    ("Documents/DocumentRoute.swift", "let busy", "the memory for requests is the server's"),
    ("Documents/DocumentRoute.swift", "route.oversized", "the size of a message in HTTP"),
    ("Documents/DocumentRoute.swift", "reply(.refused(error))", "the form of the two refusals before"),
    ("Documents/DocumentService.swift", "complete(.failure(", "the list of databases is read outside of a turn"),
    ("Accounts/AuthRoute.swift", "the server is busy", "the memory for requests is the server's"),
    ("Accounts/AccountService.swift", "complete(.refused(error))", "the verdict on a password or a token, which is cryptography"),
    ("Accounts/AccountService.swift", "the password was not hashed", "a thread that hashes passwords"),
    ("Accounts/AccountService+Administration.swift", "return .refused(error)", "an account that is named by its e-mail address"),
    ("Device/TableServerLink.swift", "device.onTold", "the store refused the session; virtual time reports that itself"),
    ("Device/TableServerLink.swift", "the device is offline", "a real link says at once that it is gone, a virtual one loses the request"),
]
ALLOWED = [Allowed("decision in a driver", _SERVICE + path, text, reason) for path, text, reason in _OWN] + [
    Allowed("class", "Sources/ZoneKitCloudProcess/CloudProcess+Relations.swift", "class RandomUUIDs",
            "a closure of one request draws from it, and no value keeps it"),
]

# Calls that stop the program, and the number of arguments with which they say why.
TRAPS = {"fatalError": 1, "preconditionFailure": 1, "assertionFailure": 1, "precondition": 2, "assert": 2}
