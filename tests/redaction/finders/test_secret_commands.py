import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
TOKEN = "JnyQKgsFcSqaDjhV" + "f7puxp9NFa1SVaL8uHzw"
PASSWORD = "Sommer" + "2024!"


@pytest.mark.parametrize(
    "command",
    [
        "cargo login {}",
        "cargo login --registry acme {}",
        "ngrok config add-authtoken {}",
        "vault login {}",
        "vault operator unseal {}",
        "vault kv put secret/x value={}",
        "vault kv put secret/x \\\n  user=bob pw='{}'",
        "fly secrets set FOO={}",
        "flyctl secrets set -a shop FOO={}",
        "doppler secrets set X={}",
        "kubectl create secret generic x --from-literal=k={}",
        "gh secret set FOO --body '{}'",
        'gh secret set FOO -b"{}"',
        "gh secret set FOO <<< {}",
        "wrangler secret put FOO <<< '{}'",
        "docker secret create x - <<< {}",
        "az keyvault secret set --name x --value {}",
        "aws ssm put-parameter --name /x --type SecureString --value {}",
        "aws secretsmanager create-secret --secret-string {}",
        "ssh-keygen -t ed25519 -N {} -f key",
        "openssl enc -aes-256-cbc -k {} -in a",
        "fly secrets set LOG_LEVEL={}",
        "kubectl create secret generic x --from-literal=user={}",
        "passwd bob <<< {}",
        "sudo -kS apt update <<< {}",
        "sudo passwd bob <<< {}",
        "sudo smbpasswd -s bob <<< {}",
        "sudo ldapadd -W <<< {}",
        "sudo tee /etc/shop/db_password <<< {}",
        "su -c x root <<< {}",
        "cryptsetup luksOpen /dev/sda1 x <<< {}",
        "echo -n {} | gcloud secrets create x --data-file=-",
        "echo '{}' > ~/.vault-token",
        "echo {} >> out/token_list.txt",
    ],
)
def test_the_secret_that_a_command_takes_is_found(command: str) -> None:
    only_tokens = any(word in command for word in ("login", "unseal", "authtoken"))
    taken = [TOKEN] if only_tokens else [TOKEN, PASSWORD]
    for secret in taken:
        for text in (command, f"Run {command}", f"`{command}` comes first"):
            assert secret not in REDACTOR.redact(text.format(secret))[0], text


@pytest.mark.parametrize(
    "command",
    [
        "fly secrets set MAILER={}",
        "fly secrets set ADMIN_PASSWORD={}",
        "gh secret set FOO <<< {}",
        "sudo -S apt update <<< {}",
        "sudo passwd bob <<< {}",
        "sudo tee /etc/shop/db_password <<< {}",
        "echo {} > out/token_list.txt",
    ],
)
def test_a_weak_password_is_found_where_only_a_secret_can_be(command: str) -> None:
    weak = "hun" + "ter2"

    assert weak not in REDACTOR.redact(command.format(weak))[0]


@pytest.mark.parametrize(
    "text",
    [
        "Run cargo login before the first publish, then vault login -method=oidc.",
        "Run cargo login --registry my-registry-2 on the CI host.",
        'Run gh secret set NPM_TOKEN --body "$NPM_TOKEN" in CI.',
        "Run fly secrets set DATABASE_URL=$DATABASE_URL2 first.",
        "Run fly secrets set LOG_LEVEL=debug, or LOG_LEVEL=debug2.",
        "Run fly secrets set -a shop REGION=frankfurt2 LOG_LEVEL=debug2.",
        "Run doppler secrets set NODE_ENV=production1.",
        "Run kubectl create secret generic x --from-literal=username=deploy2.",
        "Run vault kv put secret/app ttl=30m policy=app-v2.",
        "Run ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_ed25519.",
        "Run ssh-keygen -P and -N for the passphrases, see ssh-keygen(1).",
        "Run aws ssm put-parameter --name /ami --type String --value ami-0abcd1234ef567890.",
        "Run kubectl create secret generic tls2 --from-file=tls.crt=certs/tls2.crt.",
        'Run echo $TOKEN2 > token.txt, and sudo tee /etc/hosts2 <<< "$LINE2".',
        "echo done > token.txt",
        "echo build-2026-11-30 > out/token_list.txt",
        "printf nightly_20261130_done >> build/secret_scan.txt",
        "sudo -u postgres psql <<< select1from2",
        "sudo -s <<< reboot_node2",
        "grep -c x1y2z3w4 <<< a1b2c3d4e5",
        "Run passwd bob, then su - bob.",
        "Run openssl enc -d -aes-256-cbc -in a -k $KEY2.",
    ],
)
def test_commands_without_a_secret_stay(text: str) -> None:
    assert REDACTOR.redact(text) == (text, [])
