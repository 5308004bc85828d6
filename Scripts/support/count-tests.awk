# Reads the event stream of `swift test` (one JSON object per line) and prints "PASSED FAILED SKIPPED".
# A test counts once, however many arguments it takes. One that started and never ended counts as failed and is named on
# standard error: its process crashed, hung or left early, and `swift test` itself may have called that a success.

# The string value of a key, still escaped. A quote inside a JSON string is escaped, so "KEY":" only ever starts a value.
function value(line, key,   start, rest) {
  start = index(line, "\"" key "\":\"")
  if (start == 0) return ""
  rest = substr(line, start + length(key) + 4)
  match(rest, /^([^"\\]|\\.)*/)
  return substr(rest, 1, RLENGTH)
}

function has(line, text) { return index(line, text) > 0 }

# The stream's record of a test says whether it is a function or a suite; suites are not counted.
has($0, "\"kind\":\"test\"") && has($0, "\"kind\":\"function\"") { isFunction[value($0, "id")] = 1; next }

has($0, "\"kind\":\"testStarted\"") { started[value($0, "testID")] = 1; next }
has($0, "\"kind\":\"testEnded\"") { ended[value($0, "testID")] = 1; next }
has($0, "\"kind\":\"testSkipped\"") { skipped[value($0, "testID")] = 1; next }
has($0, "\"kind\":\"runEnded\"") { runEnded = 1; next }

# Swift 6.3 says whether an issue fails its test; 6.2 has only known issues, which do not, and others.
has($0, "\"kind\":\"issueRecorded\"") {
  fails = has($0, "\"isFailure\":") ? has($0, "\"isFailure\":true") : has($0, "\"isKnown\":false")
  if (fails) failed[value($0, "testID")] = 1
  next
}

END {
  for (id in started) {
    if (!(id in isFunction)) continue
    if (!(id in ended)) {
      name = id
      gsub(/\\\//, "/", name)
      print "did not end: " name > "/dev/stderr"
      unended = failed[id] = 1
    } else if (!(id in failed)) {
      passes++
    }
  }
  if (unended) print "the process ended while these ran; `swift test --no-parallel` shows which one ended it" > "/dev/stderr"
  # An issue outside any test function (in a suite, or in no test at all) fails the run too.
  for (id in failed) failures++
  for (id in skipped) if (id in isFunction) skips++
  if (!runEnded && failures == 0) failures = 1
  print passes + 0, failures + 0, skips + 0
}
