#!/usr/bin/env bash
# The OpenAPI documents of all services, read by openapi-spec-validator: that they are OpenAPI 3.1 at all, and
# every schema in them a JSON Schema. It is also shown documents that it must refuse.
# shellcheck source=Tests/ThirdParty/server.sh
source "$(dirname "${BASH_SOURCE[0]}")/server.sh"

environment openapi openapi-spec-validator==0.9.0
passed=0
failed=0
cd "$project"

validate() { "$(dirname "$python")/openapi-spec-validator" "$1"; }

for document in Services/*/openapi.json; do check "$document" validate "$document"; done

sed 's/"type": "integer"/"type": "intager"/' Services/Parties/openapi.json >"$work/type.json"
refused "a schema of no known type" intager validate "$work/type.json"
sed 's/"in": "path"/"in": "road"/' Services/Parties/openapi.json >"$work/parameter.json"
refused "a parameter in no known place" road validate "$work/parameter.json"
sed 's/"operationId": ".*"/"operationId": "same"/' Services/Parties/openapi.json >"$work/name.json"
refused "operations of one name" same validate "$work/name.json"
report "$passed" "$failed" 0
