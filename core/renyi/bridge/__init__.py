"""The core for other languages: builtins and Arrow in, builtins and Arrow out, nothing raised.

This is the whole protocol, number `BRIDGE_PROTOCOL`; a change that an older caller would not
understand raises the number. All arguments and answers are builtins: None, bool, int, float, str,
list, dict. Tables cross as structs of the Arrow C data interface.

Calls
-----
::

    versions()                                   -> {"protocol": 1, "renyi": "...", "python": "...",
                                                     "numpy": ..., "polars": ..., "pyarrow": ...};
                                                     None for what is not installed
    doctor()                                     -> what `renyi.doctor` returns
    select(data, options, y=, progress=, out=)   -> {"result": RESULT, "json": TEXT,
                                                     "purpose": NAME or None}
    compare(data, options, y=, progress=, out=)  -> {"result": RESULT, "json": TEXT}
    describe(data, options, y=, out=)            -> {"result": RESULT, "json": TEXT}
    measure(data, options)                       -> {"result": RESULT, "json": TEXT}
    read_result(result, out=)                    -> what `select` returns
    apply(result, data, output=, out=, force=False, target=True)
                                                 -> {"columns": [NAME, ...], "file": PATH or None}
    redundancy(result, data)                     -> {"given": [NAME, ...], "features": [NAME, ...],
                                                     "left": [[SHARE or None, ...], ...],
                                                     "little": SHARE, "rows": N}
    report(results, output, data=, no_data=False, force=False, names=)
                                                 -> {"file": PATH}

All may be given by position in this order. The option `start` of `select` is given as `result` is:
a path, or a dict of `json` or `path`.

RESULT is what the record's `to_dict` returns: for `select` and `read_result` the object that
``renyi/schemas/selection-path.schema.json`` describes, for `compare` that of
``comparison.schema.json`` beside it, with several scores that of ``score-comparison.schema.json``,
for `measure` and `describe` the object that the terminal prints with ``--json``. TEXT is the same
as JSON text, byte for byte what Python and the terminal write (they add a last newline); keep it
where a result is to be stored or applied later. The purpose is what the selected columns are for,
`model` or `news`, where their criterion has one.

Replies
-------
Every call returns a dict and raises nothing, whatever it was given::

    {"ok": True,  "value": VALUE, "warnings": [WARNING, ...]}
    {"ok": False, "error": {"code": CODE, "message": TEXT, "hint": TEXT or "",
                            "parts": [TEXT or WAY, ...]},
     "value": VALUE or None, "warnings": [WARNING, ...]}

    WAY = {"option": NAME, "value": VALUE or None, "rule": TEXT or ""}

    WARNING = {"code": CODE, "message": TEXT, "columns": [NAME, ...]}

A failed reply has a value in one case: a selection that was interrupted has code `interrupted` and
the path of the steps that were finished, or None where it came to none. Codes are those of
`renyi.errors` (`usage`, `option`, `column`, `data`, `read`, `missing`, `memory`, `output`,
`backend`, `integrity`, `extra`, `interrupted`) and two more: `callback`, the caller's progress
function failed; `internal`, a defect of ours: the message names the exception's type and the line
of ours that it came from, never data. Warnings are the notes of the result, and under code
`python` what a library warned of. The message is one sentence, and the hint another or empty, in
the words of Python. Its `parts` are for words of the caller's own: text, and the options that lead
out, each with what to set it to or with what stands for its value, such as N.

Data
----
`data` is one of these::

    "titanic.parquet" or {"path": "titanic.parquet"}         a file, glob, directory, known data set
    {"schema": ADDRESS, "array": ADDRESS, "source": NAME}     a table: one struct array
    {"stream": ADDRESS, "source": NAME}                       a table: a stream of struct arrays
    {"schema": ADDRESS, "array": ADDRESS, "source": NAME,
     "dim": [n, p], "names": [NAME, ...]}                     a matrix, column by column: one array

ADDRESS is the address of an ``ArrowSchema``, ``ArrowArray`` or ``ArrowArrayStream`` as a decimal
string (an int will do), for it is too large for a double. The call takes the content over as the
interface says: it sets `release` to NULL in the caller's structs, calls the release function when
it is done with the buffers, and keeps no view of them past its return, whatever the outcome (but
for `apply` with `out`, whose columns share the caller's memory until they are released). A struct
that it did not come to use is left as it was. The release function may be called on another
thread.

`source` is optional and what errors and the result call the data, such as ``data.frame``. `names`
may be None: the columns are x1, x2, ... Chunks, offsets, nulls, dictionaries (ordered or not),
int8 to int64, bool, large_utf8, date32, timestamps with a zone and everything else that
`renyi.select` takes are understood; null and NaN both count as missing.

`y` is None or the target where it is not a column of `data`::

    {"schema": ADDRESS, "array": ADDRESS, "name": NAME}       one array; the name is `y` by default

`out` is None or {"schema": ADDRESS, "array": ADDRESS}: structs to fill with the table that belongs
to the answer, as one struct array; the caller releases it. Their content is overwritten. They are
filled in replies that have a value, and left as they were in all others. The tables: for `select`
and `read_result` one row a step, as `SelectionPath.to_polars` says; for `compare` one row a
criterion, as `Comparison.to_polars` says, with several scores one row a score and criterion, as
`ScoreComparison.to_polars` does; for `describe` one row a column, as
`Description.to_polars` says; for `apply` the selected columns and the target as they are in `data`,
but that text is large_utf8 in all of them.

Options
-------
`options` is None or a dict by the names of the keywords of `renyi.select`, `renyi.compare`,
`renyi.describe` or `renyi.measure` (whose `x`, `y` and `given` are among them), but for `progress`
and `cancel`. An option that is None counts as left out. The only value of a list may be given
alone. A float that is a whole number does for an int, for not all languages have both. `kind` and
`bandwidths` are dicts.

Results
-------
`apply`, `read_result` and `redundancy` take a result as {"json": TEXT}, {"path": FILE} or the path
alone. With
`output`, the path of a file, the data of `apply` must be files, and the columns are written there;
with `out` they come back as Arrow. One of the two must be given.

`redundancy` takes the table that the result is of, the target in it. `left` has a row for each of
`features` and a column for each of `given`: the share of what the feature says of the target that
is left; `little` is the share up to which it counts as redundant.

`report` takes a list of results, those of `compare` too, and writes the page to `output`; `names`
is None or a list of what each is called. Its `data`, if any, is for small pictures; warnings say
why there are none.

Progress
--------
`progress` is None or a function of one dict::

    {"phase": "prepare" | "candidates" | "permutations" | "step" | "explain" |
     "sensitivity" | "stability" | "models", "step": 3, "done": 17, "total": 100,
     "feature": "age" or None, "steps_total": 12, "ahead": 12, "share": 0.21 or None}

It is called on the calling thread only, at once and then at most every 100 ms. It returns False to
stop the work as Ctrl-C does (KeyboardInterrupt, raised by it or while it does not run, does the
same); anything else goes on. Work is done on threads inside a call; none is left after it, but for
one that is in a call of the algebra library when the work is stopped: it ends with that call.

Examples
--------
>>> from renyi import bridge
>>> bridge.select("no-such-file.parquet")["error"]["code"]
'read'
"""

from renyi.bridge._calls import (
    apply,
    compare,
    describe,
    doctor,
    measure,
    read_result,
    redundancy,
    report,
    select,
    versions,
)
from renyi.bridge._replies import BRIDGE_PROTOCOL

__all__ = [
    "BRIDGE_PROTOCOL",
    "apply",
    "compare",
    "describe",
    "doctor",
    "measure",
    "read_result",
    "redundancy",
    "report",
    "select",
    "versions",
]
