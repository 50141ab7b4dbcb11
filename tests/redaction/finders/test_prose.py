import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
SIGNED = "Sommer" + "2024!"
PASSWORD = "hV7!k" + "q2Lw9zT"
TOKEN = "ghp_" + "a8Kd93LmQpZx72VbNw0TyUrEs5GhJ1cF4iO6"


@pytest.mark.parametrize(
    "text",
    [
        "Always use `{}` as the admin password on staging.",
        "Use {} as the database password in the tests, because the fixtures need it.",
        "Always log in to staging with admin / {}, never with root.",
        "Never change the staging login, it is admin:{} for everybody.",
        "Log in as admin with {} on staging.",
        "Sign in to the staging server as `bob` using the password `{}`.",
        "{} is the password for the staging database.",
        "I changed the password of bob from hunter2 to {}.",
        "The password was changed from {} to something else.",
        "Connect by postgres://bob:ab/{}@db.prod/x, never by the socket.",
        "Her zaman şifre {} ile giriş yap.",
        "lösenordet är {}",
        "adgangskode: {}",
        "salasana: {}",
        "heslo: {}",
        "jelszó: {}",
        "mật khẩu: {}",
        "비밀번호는 {}",
        "كلمة المرور: {}",
        "पासवर्ड: {}",
    ],
)
def test_a_password_that_prose_names_is_found(text: str) -> None:
    assert PASSWORD not in REDACTOR.redact(text.format(PASSWORD))[0]


@pytest.mark.parametrize(
    "text",
    [
        "Log in with admin and {}, then restart.",
        "The basic auth for the mirror is deploy:{} on the cache host.",
        "login: admin/{}",
        "creds admin / {}",
        "ssh root@10.0.0.1 with {}",
        "Sign in as demo@x.io with {}.",
    ],
)
def test_a_password_that_ends_with_a_sign_is_found_where_a_login_is_told(text: str) -> None:
    assert SIGNED not in REDACTOR.redact(text.format(SIGNED))[0]


@pytest.mark.parametrize(
    "text",
    [
        'The passphrase is "{}".',
        "The wifi passphrase: {}.",
        "passphrase = '{}'",
        "The passphrase for the vault is {}",
        "Passphrase: {}\nNext line",
    ],
)
def test_a_passphrase_of_words_is_found(text: str) -> None:
    words = "correct horse " + "battery staple"

    assert "horse" not in REDACTOR.redact(text.format(words))[0]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("password: {}", "tangerine umbrella 42 sofa"),
        ("Our wifi password is {}, which guests know.", "blue monkey eats 7 bananas"),
        ("password = {}", "purple monkey dishwasher lamp"),
        ("(the passphrase is {})", "Walnut Tiger Cobalt River"),
        ("My passphrase is {} for the vault.", "walnut tiger cobalt river"),
        ("Passphrase = {} and the user is ann", "walnut tiger cobalt river"),
        ("my pass phrase: {}", "lamp 7 river cloud"),
        ("passphrase: {}", "walnut-tiger-cobalt-river"),
    ],
)
def test_a_phrase_is_found_to_its_end_and_no_further(text: str, phrase: str) -> None:
    assert REDACTOR.redact(text.format(phrase))[0] == text.format("[REDACTED:password]")


@pytest.mark.parametrize(
    "text",
    [
        "The passphrase is stored in the vault",
        "the password is wrong",
        "passphrase is required for signing commits",
        "the password is wrong every single time",
        "password: minimum length 12 characters",
        "password: hashed bcrypt cost twelve rounds",
        "the password is valid 90 days",
        "password: see 1password vault entry 42",
        "the password is shared between 3 services",
        "password: vault-item-main-db",
        "The passphrase is read from the keychain at every start.",
        "The passphrase is never written to disk or logged.",
        "The passphrase is derived using scrypt rounds.",
        "The passphrase: ask the owner of the vault before each release",
        "The passphrase prompt is shown twice.",
        "The passphrase is optional",
        "The passphrase is kept only on device storage.",
        'The password is "not strong enough yet".',
        'The password is "Section 4 policy", the passphrase is "see chapter two below".',
        "Log in with Auth0, and connect to the account with http2.",
        "The account with id acct_1032 is closed; the account with PG16 too.",
        "The login is at auth/login2.py, the login form/step-2 next.",
        "ssh into the host with key id_ed25519, or with $KEY2.",
        "ssh git@github.com with your own key, then clone git@github.com:acme/shop2.git.",
        "The account acme/shop#1234 signs in with PR#12, at https://x.io/a2?b=c!",
    ],
)
def test_what_is_said_about_passphrases_and_logins_stays(text: str) -> None:
    assert REDACTOR.find(text) == []


@pytest.mark.parametrize(
    "text", ["use {}\n{} here", "key {}\r\n  {}", '"key {}\\n{}"', "> {}\n> {}"]
)
def test_a_token_that_goes_on_in_the_next_line_is_found_whole(text: str) -> None:
    for at in (10, 14, 22, 30):
        redacted, _ = REDACTOR.redact(text.format(TOKEN[:at], TOKEN[at:]))

        assert TOKEN[4:at] not in redacted
        assert TOKEN[at:] not in redacted


@pytest.mark.parametrize(
    "text",
    [
        "Use argon2id as the password hash, and UTF-8 as the encoding.",
        "Use ann@example.org as the login, and the field user-2 as the password field.",
        "Use bcrypt as the password algorithm; sha256 as the token digest.",
        "Use pbkdf2_sha256$600 as the password hash, and Keychain as the password store.",
        "The login is bob:developer.",
        "Log in as root with id_ed25519, or as ann with oauth2-proxy.",
        "We log in as bot with GITHUB_TOKEN2; users sign in as guest using Auth0.",
        "Argon2id is the password hash, the id is the password field.",
        "I changed the password hash from bcrypt-12 to argon2id, and the login from v1.2 to v2.0.",
        "The login page is at localhost:8080, the login form at src/login.py:12.",
        "login: see docs/login.md; login with image: node18, or at http://host:8080/@types/node",
        "Packages: https://cdn.example.org:443/npm/@scope/name@1.2.3/index.js",
        "pip install sk-learn-contrib\nscikit_image_transformers2 are installed",
        "the branch npm_config\nregistry_url_of_the_whole_organisation_42",
    ],
)
def test_ordinary_prose_is_left_as_it_is(text: str) -> None:
    assert REDACTOR.find(text) == []
