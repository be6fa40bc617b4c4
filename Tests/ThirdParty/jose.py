"""Checks of jose.sh: PORT FOLDER before|after|withdrawn. Prints "PASSED FAILED"; failures go to stderr.

"before", auth signs with FOLDER/ed25519.pem and announces FOLDER/p256.pem; "after", it signs with the
latter and still publishes the former; "withdrawn", it no longer does. A session is kept in FOLDER.
"""

import base64
import json
import pathlib
import sys
import time
import urllib.error
import urllib.request

import jwt
from cryptography.hazmat.primitives import hashes, hmac, serialization
from joserfc import jwk as rfc_jwk
from joserfc import jwt as rfc_jwt
from jwcrypto import jwk as jc_jwk
from jwcrypto import jwt as jc_jwt

port, folder, phase = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
counts = [0, 0]


def check(name, is_right):
    counts[0 if is_right else 1] += 1
    if not is_right:
        print(f"{phase}: {name}", file=sys.stderr)


def refuses(name, body):
    try:
        body()
    except Exception:
        check(name, True)
    else:
        check(name, False)


def call(method, path, body=None, token=None):
    headers = {}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data=data, headers=headers, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def private(name):
    data = (folder / f"{name}.pem").read_bytes()
    return serialization.load_pem_private_key(data, None)


def verify_with_everyone(token, key_set):
    """Each library verifies the token with the published keys, and refuses it when changed."""
    header = jwt.get_unverified_header(token)
    key = jwt.PyJWKSet.from_dict(key_set)[header["kid"]].key
    names = {"issuer": "madang", "audience": "madang"}
    algorithms = [header["alg"]]
    claims = jwt.decode(token, key, algorithms=algorithms, **names)
    check("PyJWT verifies", claims["iss"] == "madang" and claims["exp"] > time.time())
    check("claims are whole numbers", type(claims["exp"]) is int and type(claims["iat"]) is int)

    keys = rfc_jwk.KeySet.import_key_set(key_set)
    decoded = rfc_jwt.decode(token, keys, algorithms=algorithms)
    check("joserfc verifies", decoded.claims == claims and decoded.header["typ"] == "JWT")

    keys = jc_jwk.JWKSet.from_json(json.dumps(key_set))
    other = jc_jwt.JWT(jwt=token, key=keys, algs=algorithms)
    check("jwcrypto verifies", json.loads(other.claims) == claims)

    changed = token[:-8] + ("AAAAAAAA" if token[-8:] != "AAAAAAAA" else "BBBBBBBB")
    refuses("a changed token", lambda: jwt.decode(changed, key, algorithms=algorithms, **names))
    refuses("another audience", lambda: jwt.decode(token, key, algorithms=algorithms, audience="x"))
    return header, claims


def forge(header, claims, sign):
    message = encoded(json.dumps(header).encode()) + "." + encoded(json.dumps(claims).encode())
    return message + "." + encoded(sign(message.encode()))


def forgeries(header, claims, key_set, key):
    """Tokens that auth must refuse: each differs in one point from one that it takes."""
    algorithm, kid = header["alg"], header["kid"]
    published = next(item for item in key_set["keys"] if item["kid"] == kid)
    good = {"kid": kid}
    yield "no signature", jwt.encode(claims, None, algorithm="none", headers=good)
    public = key.public_key()
    secrets = [
        base64.urlsafe_b64decode(published["x"] + "=="),
        json.dumps(published).encode(),
        public.public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
    ]
    for secret in secrets:

        def sign(message, secret=secret):
            mac = hmac.HMAC(secret, hashes.SHA256())
            mac.update(message)
            return mac.finalize()

        yield "HMAC by the public key", forge({"alg": "HS256", "kid": kid}, claims, sign)
    strangers = {
        "EdDSA": jc_jwk.JWK.generate(kty="OKP", crv="Ed25519"),
        "ES256": jc_jwk.JWK.generate(kty="EC", crv="P-256"),
    }
    stranger = strangers[algorithm].get_op_key("sign")
    yield "a stranger's key", jwt.encode(claims, stranger, algorithm=algorithm, headers=good)
    embedded = good | {"jwk": json.loads(strangers[algorithm].export_public())}
    yield "a key in the token", jwt.encode(claims, stranger, algorithm=algorithm, headers=embedded)
    other = "ES256" if algorithm == "EdDSA" else "EdDSA"
    yield "another algorithm", jwt.encode(
        claims, strangers[other].get_op_key("sign"), algorithm=other, headers=good
    )

    def signed(change, headers=good):
        return jwt.encode(claims | change, key, algorithm=algorithm, headers=headers)

    now = int(time.time())
    yield "an unknown kid", signed({}, {"kid": "../../etc/passwd"})
    yield "no kid", signed({}, {})
    yield "a critical extension", signed({}, good | {"crit": ["x"], "x": 1})
    yield "expired", signed({"exp": now - 1})
    yield "issued in the future", signed({"iat": now + 3600})
    yield "not valid yet", signed({"nbf": now + 3600})
    yield "another issuer", signed({"iss": "somebody"})
    yield "another audience", signed({"aud": "somebody"})
    yield "a list of audiences", signed({"aud": ["madang", "somebody"]})
    yield "no such subject", signed({"sub": "0"})
    yield "a subject that is no id", signed({"sub": "7 or 1=1"})
    yield "padding", signed({}) + "=="


def check_signer(token, key_set, name, algorithm):
    header, claims = verify_with_everyone(token, key_set)
    check(f"{algorithm} signs", header["alg"] == algorithm)
    check("auth takes its own token", call("GET", "/v1/auth/me", token=token)[0] == 200)
    key = private(name)
    twin = jwt.encode(claims, key, algorithm=algorithm, headers={"kid": header["kid"]})
    check("auth takes PyJWT's token", call("GET", "/v1/auth/me", token=twin)[0] == 200)
    for what, forged in forgeries(header, claims, key_set, key):
        status, problem = call("GET", "/v1/auth/me", token=forged)
        check(f"auth refuses: {what}", status == 401 and "code" in problem)
        if status != 401:
            print(f"  {status} {problem}", file=sys.stderr)


def run():
    status, key_set = call("GET", "/v1/auth/jwks")
    check("keys are published", status == 200)
    kinds = [(item["kty"], item["crv"], item["alg"], item["use"]) for item in key_set["keys"]]
    ed25519, p256 = ("OKP", "Ed25519", "EdDSA", "sig"), ("EC", "P-256", "ES256", "sig")
    expected = {"before": [ed25519, p256], "after": [p256, ed25519], "withdrawn": [p256]}
    check("the right keys are published", kinds == expected[phase])
    for item in key_set["keys"]:
        check("nothing private is published", not {"d", "k", "p", "q"} & set(item))
        check("kid is the thumbprint", jc_jwk.JWK(**item).thumbprint() == item["kid"])
        check("joserfc agrees", rfc_jwk.import_key(item).thumbprint() == item["kid"])

    kept = folder / "session.json"
    if phase == "before":
        account = {"email": "jose@example.com", "password": "correct horse", "nickname": "jose"}
        status, session = call("POST", "/v1/auth/users", account)
        check("sign-up", status == 201)
        kept.write_text(json.dumps(session))
        check_signer(session["accessToken"], key_set, "ed25519", "EdDSA")
        return
    session = json.loads(kept.read_text())
    if phase == "after":
        verify_with_everyone(session["accessToken"], key_set)
        status, _ = call("GET", "/v1/auth/me", token=session["accessToken"])
        check("a token from before the rotation is taken", status == 200)
        status, renewed = call(
            "POST", "/v1/auth/tokens", {"refreshToken": session["refreshToken"]}
        )
        check("a session outlives the rotation", status in (200, 201))
        check_signer(renewed["accessToken"], key_set, "p256", "ES256")
        return
    status, _ = call("GET", "/v1/auth/me", token=session["accessToken"])
    check("a token of a withdrawn key is refused", status == 401)


try:
    run()
except Exception as error:
    check(f"stopped by {type(error).__name__}: {error}", False)
print(*counts)
