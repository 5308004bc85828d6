-- Requests for wrk in the shape of CloudKit Web Services:
--   wrk ... -- OPERATION PATH ZONE SEED KEYS
-- OPERATION is create (new names), update (forced, among seed-0 ... seed-(KEYS-1)) or changes (pages of 200).
-- And in the shape of PostgREST:
--   wrk ... -- OPERATION PATH KEY SEED TOKEN
-- OPERATION is upsert (one new row), upsert100 (100 new rows) or pull (pages of 200 rows). SEED is a number.
-- And in the shape of the service of documents:
--   wrk ... -- OPERATION - - SEED USER
-- OPERATION is weight (a new document with one text), meal (a new log with two items) or documents (pages of 200).
-- And the same rows for PocketBase, with the operations pocket, pocket100 and pocketpull:
--   wrk ... -- OPERATION / - SEED TOKEN

local operation, path, zone, seed, keys, token
local number = 0
local pad = string.rep("p", 180)
record_errors, refused = 0, 0 -- globals: done() reads them by name

function init(arguments)
  operation, path, zone, seed, keys = arguments[1], arguments[2], arguments[3], arguments[4], tonumber(arguments[5])
  token = arguments[5]
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

local function modify(kind, name)
  return '{"operations":[{"operationType":"' .. kind .. '","record":{"recordName":"' .. name
    .. '","recordType":"Note","fields":{"body":{"value":"' .. pad .. '","type":"STRING"}}}}],"zoneID":{"zoneName":"'
    .. zone .. '"}}'
end

local function row()
  number = number + 1
  return string.format('{"id":"%08x-0000-4000-8000-%012x","name":"%s","edited_at":"2026-05-04T07:08:10.500Z",'
    .. '"changed_by":"bench:1"}', seed, number, pad)
end

local function row_request()
  local fields = {
    ["Content-Type"] = "application/json", ["apikey"] = zone, ["Authorization"] = "Bearer " .. token,
    ["Prefer"] = "resolution=merge-duplicates"
  }
  if operation == "pull" then
    return wrk.format("GET", path .. "?select=*&updated_at=gt.2000-01-01&order=updated_at.asc,id.asc&limit=200", fields)
  end
  local rows = {}
  for index = 1, operation == "upsert100" and 100 or 1 do rows[index] = row() end
  return wrk.format("POST", path, fields, "[" .. table.concat(rows, ",") .. "]")
end

local item = '{"_id":"%s","name":"Oats","quantityMilli":60000,"unit":"g","energyKcal":220,"proteinMg":8000}'

-- Meals are spread over ten years, because the server sums up each day.
local function document()
  number = number + 1
  local name = seed .. "-" .. number
  local data = '"loggedAt":"2026-05-04T07:08:10.500Z","notes":"' .. pad .. '","loggedDate":"'
    .. os.date("!%Y-%m-%d", 946684800 + 86400 * (number % 3650))
  if operation == "weight" then
    return '{"collection":"weightLogs","operation":"create","documentId":"' .. name
      .. '","timestamp":"2026-05-04T07:08:10.500Z","data":{"weightG":71500,' .. data .. '"}}'
  end
  return '{"collection":"foodLogs","operation":"create","documentId":"' .. name
    .. '","timestamp":"2026-05-04T07:08:10.500Z","data":{"mealType":"lunch","items":[' .. string.format(item, "a") .. ","
    .. string.format(item, "b") .. "]," .. data .. '"}}'
end

local function document_request()
  local fields = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer user:" .. token }
  if operation == "documents" then return wrk.format("GET", "/sync/pull?limit=200", fields) end
  return wrk.format("POST", "/sync/push", fields, '{"deviceId":"bench","changes":[' .. document() .. ']}')
end

local function pocket_row()
  number = number + 1
  return string.format('{"id":"%05d%010d","name":"%s","edited_at":"2026-05-04T07:08:10.500Z","changed_by":"bench:1"}',
    seed, number, pad)
end

-- One row is created, which is faster there than a batch; 100 rows are a batch of upserts, which is one transaction.
local function pocket_request()
  local fields = { ["Content-Type"] = "application/json", ["Authorization"] = token }
  local records = "/api/collections/persons/records"
  if operation == "pocketpull" then
    return wrk.format("GET", records .. "?perPage=200&skipTotal=1&sort=updated&filter=(updated%3E'2000-01-01')", fields)
  elseif operation == "pocket" then
    return wrk.format("POST", records, fields, pocket_row())
  end
  local requests = {}
  for index = 1, 100 do
    requests[index] = '{"method":"PUT","url":"' .. records .. '","body":' .. pocket_row() .. '}'
  end
  return wrk.format("POST", "/api/batch", fields, '{"requests":[' .. table.concat(requests, ",") .. ']}')
end

local is_of_rows = { upsert = true, upsert100 = true, pull = true }
local is_of_documents = { weight = true, meal = true, documents = true }

function request()
  if string.sub(operation, 1, 6) == "pocket" then return pocket_request() end
  if is_of_rows[operation] then return row_request() end
  if is_of_documents[operation] then return document_request() end
  local body
  number = number + 1
  if operation == "create" then
    body = modify("create", seed .. "-" .. number)
  elseif operation == "update" then
    body = modify("forceUpdate", seed .. "-" .. math.random(0, keys - 1))
  else
    body = '{"zones":[{"zoneID":{"zoneName":"' .. zone .. '"},"resultsLimit":200}]}'
  end
  return wrk.format("POST", path, nil, body)
end

function response(status, _, content)
  if status ~= 200 and not (status == 201 and is_of_rows[operation]) then
    refused = refused + 1
  elseif operation ~= "changes" and string.find(content, "serverErrorCode", 1, true) then
    record_errors = record_errors + 1
  elseif is_of_documents[operation] and operation ~= "documents" and not string.find(content, '"success":true', 1, true) then
    record_errors = record_errors + 1
  end
end

local threads = {}
function setup(thread) threads[#threads + 1] = thread end

function done(summary, latency)
  local errors = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  for _, thread in ipairs(threads) do
    errors = errors + (thread:get("refused") or 0) + (thread:get("record_errors") or 0)
  end
  io.write(string.format("figures rate=%.1f p50=%.3f p99=%.3f errors=%d\n", summary.requests * 1e6 / summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors))
end
