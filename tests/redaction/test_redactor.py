"""Secrets are built at run time from pieces, so that no secret-shaped string stands in
this file.
"""

import json
import re
import string
from base64 import b64encode
from time import process_time
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.corpus import corpus

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
BODY = "aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6hJ9kL2"
NUMBER = int("40961" + "234")
HEX = "0f1e2d3c4b5a69788796a5b4c3d2e1f0" * 4
KEY_BEGIN, KEY_END = ("-----" + word + " RSA PRIVATE " + "KEY-----" for word in ("BEGIN", "END"))

PREFIXED = {
    "ghp" + "_" + BODY[:36]: "github",
    "github" + "_pat_" + BODY: "github-fine",
    "glpat" + "-" + BODY[:20]: "gitlab",
    "xoxb" + "-123456789012-" + BODY[:24]: "slack",
    "sk-ant" + "-api03-" + BODY: "anthropic",
    "sk-proj" + "-" + BODY: "openai",
    "AKIA" + "Q3EGRJ7X2M5TYVWN": "aws-key-id",
    "AIza" + BODY[:35]: "google-api-key",
    "sk_live" + "_" + BODY[:24]: "stripe",
    "npm" + "_" + BODY[:36]: "npm",
    "pypi" + "-AgEIcHlwaS5vcmc" + BODY + BODY: "pypi",
    "hf" + "_" + BODY[:34]: "huggingface",
    "dop" + "_v1_" + HEX[:64]: "digitalocean",
    "hvs" + "." + BODY: "vault",
    "SG" + "." + BODY[:22] + "." + BODY: "sendgrid",
    "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0In0." + BODY: "jwt",
}


@pytest.mark.parametrize(("token", "rule"), PREFIXED.items(), ids=PREFIXED.values())
def test_a_token_with_a_prefix_is_found_wherever_it_stands(token: str, rule: str) -> None:
    for text in (
        token,
        f"it is {token}.",
        f"run\\n{token}\\nend",
        f'{{"x": "{token}"}}',
        f"https://host/?t={token}&n=1",
    ):
        redacted, findings = REDACTOR.redact(text)

        assert token not in redacted, text
        assert [found.rule for found in findings] in ([rule], ["assignment"])


@pytest.mark.parametrize(
    "text",
    [
        'password = "{}"',
        "export DB_PASSWORD={}",
        "  client_secret: {}",
        '{{"api_key": "{}"}}',
        '{{\\"password\\":\\"{}\\"}}',
        'apiKey := "{}"',
        "Authorization: Bearer {}",
        'curl -H "X-Api-Key: {}" https://host',
        "tool --password {} --verbose",
        "docker login -u me -p {}",
        "curl -u me:{} https://host",
        "postgres://app:{}@db:5432/app",
        "machine host login me password {}",
        "the password is {}",
        '<add key="Password" value="{}"/>',
        "<apiToken>{}</apiToken>",
        'System.setProperty("APP_TOKEN", "{}")',
        "token = os.getenv('TOKEN', '{}')",
    ],
)
def test_a_value_is_found_by_the_name_it_was_given(text: str) -> None:
    value = "tr0ub4dor" + "X9k2Lm7Qw"

    assert value not in REDACTOR.redact(text.format(value))[0]


@pytest.mark.parametrize(
    "text",
    [
        "password: <your password>",
        "token: ${GITHUB_TOKEN}",
        "api_key = $API_KEY",
        "password = os.environ['PASSWORD']",
        "const token = process.env.TOKEN",
        "password: ********",
        "api_key=xxxxxxxxxxxxxxxx",
        "max_tokens: 4096",
        "token_type: bearer",
        "tokenizer: cl100k_base",
        "password_policy: strict",
        "if (token == null) return;",
        "token = request.headers['X-Token']",
        "Reset your password from the settings page.",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "id 123e4567-e89b-42d3-a456-426614174000",
        '"integrity": "sha512-' + b64encode(bytes(range(64))).decode() + '"',
        "password=[REDACTED:assignment]",
        "AKIAIOSFODNN7" + "EXAMPLE",
    ],
)
def test_placeholders_and_object_ids_stay(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "privateKey: Uint8Array",
        "const key = folderNode.ipnsPrivateKey;",
        "the first pass: Claude/Codex/Cursor",
        "pass to `Summary`",
        "PASS: Cross-folder",
        "pass_rate_1: 54.1",
        "minipass: 7.1.3",
        "if decoded.APIKey != payload.APIKey {",
        "| Test | PASS | skip (platform) |\n|---|---|---|\n| TestRename2 | **PASS** | no |",
        "from x import (\n    X25519PrivateKey,\n    X25519PublicKey,\n)",
        "@abstractmethod\ndef close(self):\n    pass\n\n@property\n",
        "Enter your password:\n  return request.password2\n",
        "AUTH_AUTH0_SECRET=\nAUTH_AUTH0_ISSUER=\n",
        'authorization: "https://www.reddit.com/api/v1/authorize2"',
        'hash_password("password123")',
        "(identified by 'strategy' in metadata)",
        (
            "The mnemonic is a good one, and for every word that you read there must be one that"
            " the wallet then accepts again"
        ),
        "La clave es entender el problema de la clave2 en general",
        (
            "Das Passwort ist zu kurz. Le mot de passe est requis. La contraseña es obligatoria."
            " Пароль — это слово."
        ),
        "密码是必填项。パスワードは必須です。",
        (
            "curl -b cookies.txt https://host && zip -P $PASSWORD out.zip a && redis-cli -a"
            " <password> ping"
        ),
        "ENV API_SECRET ${API_SECRET}",
        "localhost:5432:app:user:password",
        "INSERT INTO users (email, password) VALUES (?, ?)",
        "INSERT INTO users (email, token_count) VALUES ('a@b.c', 'abc123def')",
        "INSERT INTO users VALUES (1, 'ada', 'ada1@x.io', 'cus_9s6XKzkNRiz8i3', '2020-01-01')",
        'token: "claude-sonnet-4-5"',
        "secretName: web-front-2024",
        "update the light theme with better colors that match the dark theme",
        "legal winner thank year wave sausage worth useful legal winner thank",
    ],
)
def test_prose_and_code_stay(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])


def test_a_verdict_on_a_test_is_no_password() -> None:
    for verdict in (
        "    --- PASS: TestRename/keeps_Ids_2 (0.00s)",
        "PASS: test/unit/Rename2.spec.js",
        "PASS: TestRename_Keeps2/a-B",
    ):
        assert REDACTOR.redact(verdict)[0] == verdict
    for said in ("PASS: tr0ub4dor" + "-3", "PASS: Testing2" + "-day", "PASS=TestRename2" + "/x-3"):
        assert "[REDACTED:" in REDACTOR.redact(said)[0]


def test_a_key_block_goes_whole_even_when_its_end_is_cut_off() -> None:
    material = "\n".join([BODY, BODY[::-1], BODY])

    for end in ("\n" + KEY_END + "\nafter\n", "\n"):
        redacted, _ = REDACTOR.redact(f"before\n{KEY_BEGIN}\n{material}{end}")

        assert BODY[:12] not in redacted
        assert redacted.startswith("before\n[REDACTED:private-key]")


def test_a_secret_is_found_below_one_level_of_encoding() -> None:
    token = "ghp" + "_" + BODY[:36]
    line = "password=" + "tr0ub4dorX9k2"

    for text in (
        b64encode(f"x {token} y".encode()).decode(),
        b64encode(line.encode()).decode(),
        "q=" + quote(f"a={token}&b", safe=""),
        token.replace("g", "\\u0067", 1),
        token[:12] + "\u200b" + token[12:],
        token.replace("_", "\\_"),
        token.replace("_", "&#95;"),
    ):
        assert REDACTOR.find(f"see {text} there"), text


def test_a_text_gives_the_same_when_it_comes_again() -> None:
    redactor = Redactor(personal=False)
    texts = [*PREFIXED, "a tag", "notes/a.md", "", "a tag", "password = hunter2hunter2"]

    first = [redactor.redact(text) for text in texts]
    again = [redactor.redact(text) for text in texts]

    assert again == first == [Redactor(personal=False).redact(text) for text in texts]
    assert not redactor._clean.intersection(PREFIXED)  # no secret stays in memory
    assert Redactor(patterns=["a tag"]).find("a tag")


def test_only_so_many_texts_are_remembered() -> None:
    redactor = Redactor()

    for number in range(33_000):
        assert redactor.redact(f"tag {number}") == (f"tag {number}", [])

    assert len(redactor._clean) < 33_000


def test_findings_say_where_and_never_what() -> None:
    token = "ghp" + "_" + BODY[:36]
    text = f"one {token} two"

    (found,) = REDACTOR.find(text)

    assert text[found.start : found.end] == token
    assert BODY[:8] not in repr(found)


def test_decoded_json_keeps_its_structure() -> None:
    token = "ghp" + "_" + BODY[:36]
    value = {
        "n": 1,
        "ok": True,
        "seen": {token: None},
        "db_password": NUMBER,
        "list": ["a", {"api_key": BODY}],
        "session": HEX[:40],
    }

    redacted, findings = REDACTOR.redact_json(value)

    assert redacted == {
        "n": 1,
        "ok": True,
        "seen": {"[REDACTED:github]": None},
        "db_password": "[REDACTED:assignment]",
        "list": ["a", {"api_key": "[REDACTED:assignment]"}],
        "session": HEX[:40],
    }
    assert len(findings) == 3


def test_json_text_stays_json() -> None:
    line = json.dumps(
        {
            "password": NUMBER,
            "a": ["x", {"secret_token": BODY}],
            "text": f'say "token={BODY}" now\nend',
        }
    )

    redacted = json.loads(REDACTOR.redact(line)[0])

    assert {redacted["password"], redacted["a"][1]["secret_token"]} == {"[REDACTED:assignment]"}
    assert redacted["text"].endswith("end")


def test_json_that_nests_without_end_does_not_end_us() -> None:
    value: list[object] = []
    for _ in range(5000):
        value = [value]

    assert REDACTOR.redact_json(value)[1][0].rule == "nesting"


def test_patterns_of_the_user_are_redacted_and_exceptions_are_not() -> None:
    token = "ghp" + "_" + BODY[:36]
    redactor = Redactor(patterns=[r"ACME-\d{6}"], allow=[token, r"tmp-\w+"])

    assert redactor.redact(f"ACME-123456 {token}") == (
        f"[REDACTED:pattern] {token}",
        redactor.find("ACME-123456"),
    )
    assert redactor.redact(f'password = "tmp-{BODY[:6]}"')[1] == []


def test_a_home_folder_is_written_without_its_owner() -> None:
    assert REDACTOR.redact("open /home/jdoe/project and C:\\Users\\jdoe\\x") == (
        "open ~/project and ~\\x",
        [],
    )
    assert (
        Redactor(personal=False).redact("open /home/jdoe/project")[0] == "open /home/jdoe/project"
    )


@settings(max_examples=150, deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(
        st.sampled_from(
            [
                "password",
                "=",
                ":",
                '"',
                "'",
                "\\",
                " ",
                "ghp_",
                BODY,
                "\n",
                "[REDACTED:",
                "]",
                "token",
                "%41",
                "://",
                "@",
                "is ",
                "1",
                "{",
                "}",
            ]
        )
    ).map("".join)
)
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = REDACTOR.redact(text)

    assert REDACTOR.redact(once)[0] == once


_SECRETS = st.text(
    string.ascii_letters + string.digits + "!#$%&*+-/=?@^_~\"'\\ é", min_size=10, max_size=40
).filter(
    lambda value: (
        value == value.strip()
        and sum(char.isdigit() for char in value) >= 2
        and len(set(value)) >= 8
    )
)


@settings(max_examples=150, deadline=None)
@given(_SECRETS)
def test_an_own_secret_survives_in_no_form(secret: str) -> None:
    redactor = Redactor(own=[("MY_SECRET", secret)])

    for form in (
        secret,
        json.dumps(secret)[1:-1],
        quote(secret),
        quote(secret, safe=""),
        b64encode(f"user:{secret}".encode()).decode(),
    ):
        redacted, findings = redactor.redact(f"before {form} after")

        assert form not in redacted
        assert findings


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=20)
    | st.sampled_from([BODY, "ghp" + "_" + BODY[:36]]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "password", "api_key", "token", "x y"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(_JSON)
def test_json_stays_json_as_a_value_and_as_text(value: object) -> None:
    json.loads(REDACTOR.redact(json.dumps(value))[0])
    redacted, _ = REDACTOR.redact_json(value)

    assert type(redacted) is type(value) or isinstance(redacted, str)
    assert REDACTOR.redact_json(redacted)[0] == redacted


PROSE = re.findall(
    r"\w+",
    "the token password of a session is kept in git and each key opens one door to the secret"
    " garden as decided",
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(PROSE),
        max_size=40,
    )
)
def test_ordinary_prose_is_unchanged(words: list[str]) -> None:
    text = " ".join(words)

    assert REDACTOR.redact(text) == (text, [])


HOSTILE = [
    *(KEY_END + "\n", BODY + KEY_END, KEY_END + BODY, "a\n" + KEY_END, BODY[:16] + "\n" + KEY_END),
    *(
        KEY_BEGIN + "\n",
        "a",
        "a1",
        "password=",
        'password="',
        "api_key:",
        "token ",
        "Authorization: ",
        "Bearer ",
        "curl -u a:",
        "docker login -p ",
        "-p ",
    ),
    *(
        "\"'`",
        '\\"',
        "\\",
        "QUJD",
        "ey" + "J",
        "-ey" + "J",
        "ey" + "JhbGci\n",
        "ey" + "JhbGciOiJIUzI1NiJ9.\n",
        "sk-" + BODY[:20] + "\n",
        "://a:",
        "\\u0061",
        "%41",
        "kind: Secret\ndata:\n",
        "sk-",
        "-ghp_",
        "1234567890",
        "/home/ab",
        "\u200b",
        "the password is ",
    ),
    *(
        "PuTTY-User-Key-File-2:",
        "<key>password</key>",
        "<password a><![CDATA[",
        "<td>password</td><td>",
        "password:\n  a: ",
        "passwords:\n- a1\n",
        "password={'a':'",
        "check_password(",
        '"--password",',
        "value:abcdef,name:password,",
        "assword:'",
        "password='''",
        "log in as a with ",
        "password from a to ",
        "\\_",
        "&#95;",
        "a:b@tcp(",
        "@tcp(",
        "postgres://a:b/@c@",
        "oracle:thin:a/",
        "[REDACTED:",
        "password=[REDACTED:x]",
        f"password={BODY[:10]} [REDACTED:x] ",
        f'password="{BODY[:10]}" ',
        f"token={BODY[:16]} ",
        "mail a@b.",
        "ssh 1.2.3.",
        "machine a login b ",
        ".SG." + "a" * 20,
        "İpassword=",
    ),
    *(
        "pwd ",
        "pass ",
        "api key ",
        'password "abc" ',
        f"token%3d{BODY[:14]} ",
        f"%41 password={BODY[:14]} ",
        f"\\u0041 password={BODY[:14]} ",
        f"p\u200bassword={BODY[:14]} ",
        "\\/",
        "a\\/b password\\/=a ",
        f"https://{BODY[:20]}@h ",
        "secret" + " " * 40,
        "secret=['a1b2C3d4','a1b2C3d4',",
        "password for " + "x" * 48 + " ",
        f"curl -u a:{BODY[:14]}\n",
    ),
    *(
        "\x1b[1;",
        "\\u001b[1;",
        "[31m",
        "\n12\u2192",
        "\n+",
        "\n   1 ",
        '"  1\t',
        "\n> - ",
        "\\\\n",
        "1234567 (Ann 12) ",
    ),
    *(
        "cookie: a=",
        "curl ",
        "curl -b a=",
        "identified by ",
        "password '",
        "| password ",
        "|password|\n",
        "password,password\n",
    ),
    *(
        "insert into users values ('a!1b', ",
        "insert into users (password) values ('a'),",
        "insert into t (password) values (",
        "insert into a(",
        "copy t (password) from stdin;\n",
        " abandon",
        "abandon ability ",
    ),
    *(
        "mnemonic abandon ",
        "seed phrase: ",
        'kty"d":"',
        "name: password\nvalue: ",
        'variable "password" {',
        "password: |\n  ",
    ),
    *(
        "password:\n\n",
        "# Password\n\n```\n",
        "echo a:",
        "echo a:b | ",
        "chpasswd <<E\na:",
        "redis-cli -a ",
        "zip -P ",
        "az login -p ",
    ),
    *(
        "Пароль ",
        "пароль от базы: ",
        "密码是",
        "パスワード",
        "mot de passe temporaire : ",
        ":5432:a:b:",
        "AKIA" + "Q3EGRJ7X2M5TYVWN ",
    ),
    *(
        "env secret ",
        "config set ",
        "convertto-securestring -string ",
        "net user a ",
        "auth ",
        "htpasswd -b a b ",
        "a.b.c.",
        "&a",
    ),
    *(
        "log in with ",
        "ssh a1!",
        "our key ",
        f"token {BODY[:20]} ",
        "vault kv put a=b1c2d3 ",
        "vault kv put ",
        "gh secret set -b ",
        "cargo login --a b ",
        "<<< a1b2c3",
        "echo abcdef1 > ",
        "a:b1!cdefg@c.de ",
        "a@b.cd:",
        "passphrase: ",
        "passphrase: abc def ",
        "login('a', ",
        "auth=('a','",
        "recovery code a1b2c3 ",
        "<RSAKeyValue><D>",
    ),
    *(
        "credentials:\n- a b1!\n",
        "keys:\n- a - b - c1 d\n",
        "these are \n",
        "account a / ",
        "the password (the ",
        "user ab password ",
        "creds: ab, ",
        "root / ",
        "пароль от ab ",
        "password the new one is ab-cd-1 ",
        "pw " + "a-" * 30 + "1 ",
        "密码 a1!",
    ),
]


@pytest.mark.parametrize("unit", HOSTILE, ids=repr)
def test_hostile_text_takes_time_in_proportion(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        began = process_time()
        REDACTOR.redact(text)
        return process_time() - began

    def is_in_proportion() -> bool:
        most = 9 * min(seconds(15_000) for _ in range(3)) + 0.02
        return any(seconds(60_000) < most for _ in range(3))

    assert any(is_in_proportion() for _ in range(3))  # a busy machine slows one of the two


def test_names_crowded_beyond_what_a_person_writes_take_what_follows_them_along() -> None:
    text = "token = a1 " * 2_000 + f"password={BODY[:20]}\nThe next line is prose."

    redacted, findings = REDACTOR.redact(text)

    assert BODY[:20] not in redacted
    assert redacted.endswith("The next line is prose.")
    assert len(findings) < 1_000


def test_long_source_about_tokens_is_not_crowded() -> None:
    text = (
        "    def read_token(self, name: str) -> Token:\n        return self.tokens[name]\n\n    #"
        " And so on, as programs go.\n" * 600
    )

    assert REDACTOR.redact(text) == (text, [])


def test_a_secret_is_found_behind_mixed_escapes_however_far_they_stand_apart() -> None:
    secret = BODY[:20]
    text = (
        f"pass\u200bword%3D{secret} "
        + "plain words " * 100
        + f"token\\u003d{secret}\\/x"
        + " more words" * 100
    )

    redacted, findings = REDACTOR.redact(text)

    assert secret not in redacted
    assert len(findings) == 2
    assert "plain words " * 100 in redacted


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["positive", "encoded", "split", "negative"])
def test_the_public_vectors_hold(name: str) -> None:
    vectors = json.loads(corpus(f"secrets/redact-transcripts-vectors-CC0/{name}.json").read_text())[
        "vectors"
    ]

    for vector in vectors:
        text = vector.get("input") or "".join(vector["chunks"])
        redacted, _ = REDACTOR.redact(text)
        if name == "negative":
            assert redacted == text
        else:
            assert not [part for part in vector["absent"] if part in redacted], vector["id"]


@pytest.mark.parametrize("length", [300, 600, 1_600, 20_000])
@pytest.mark.parametrize(
    "text", ["CI_SESSION_SECRET={} because of this.", '"password": "{}"', "token: {}\nnext"]
)
def test_a_long_value_is_redacted_to_its_end(text: str, length: int) -> None:
    value = "".join(f"{number:08x}Q" for number in range(4_000_000_000, 4_000_000_000 + length))
    secret = value[:length]

    found, _ = REDACTOR.redact(text.format(secret))

    assert secret[-9:] not in found
    assert found.startswith(text.partition("{}")[0])
    assert found.endswith(text.partition("{}")[2])


@pytest.mark.parametrize("length", [60, 250, 1_900])
@pytest.mark.parametrize(
    "command",
    [
        "docker login -u AWS -p {}", "echo {} | docker login --password-stdin",
        "psql postgres://app:{}@host/db", "mysql -u root -p{}", "curl -u admin:{} http://x",
        "vault kv put secret/x key={}", 'login("ann", "{}")',
    ],
)  # fmt: skip
def test_a_command_takes_a_long_secret_whole(command: str, length: int) -> None:
    secret = "".join(f"{number:08x}Q" for number in range(4_000_000_000, 4_000_000_300))[:length]

    found, _ = REDACTOR.redact(command.format(secret))

    assert not [at for at in range(0, length - 12, 12) if secret[at : at + 12] in found]
