import json

import pytest

from git_lerim.redaction.redactor import Redactor

REDACTOR = Redactor()
PASSWORD = "Wq7Tz" + "mLp39x"


@pytest.mark.parametrize(
    "text",
    [
        "<password><![CDATA[{}]]></password>",
        "<password>\n  <![CDATA[ {} ]]>\n</password>",
        "<db:password enc='none'><![CDATA[{}]]></db:password>",
        "<password><![CDATA[a<b&{}]c]]></password>",
        "<password type='text'>{}</password>",
        "<db:adminPassword xml:lang='en'>\n  {}\n</db:adminPassword>",
        "<key>password</key>\n\t<string>{}</string>",
        "<key>DB_PASSWORD</key><string>{}</string>",
        "<tr><td>Password</td><td>{}</td></tr>",
        "<tr>\n  <th>Password:</th>\n  <td class='x'><code>{}</code></td>\n</tr>",
        "<tr><td>Password</td><td>'{}'</td></tr>",
        "<dt>Admin password</dt><dd>{}</dd>",
    ],
)
def test_a_password_in_an_element_is_found(text: str) -> None:
    for shown in (text, json.dumps({"output": text})):
        redacted, _ = REDACTOR.redact(shown.replace("{}", PASSWORD))

        assert PASSWORD not in redacted
        assert redacted.endswith(shown[-5:])


@pytest.mark.parametrize(
    "text",
    [
        "<key>password</key>\n<string></string>",
        "<key>PasswordPolicy</key><string>Strong2Policy</string>",
        "<password><![CDATA[]]></password>",
        "<password><![CDATA[${DB_PASSWORD}]]></password>",
        "<tr><td>Password</td><td>Required</td></tr>",
        "<tr><th>Password</th><th>Username</th></tr>",
        "<td>Password length</td><td>8-characters2</td>",
        "<span class='a'>PWD</span>: <span class='b'>'/Users/ann'</span>",
        "<td>Token</td><td>claude-sonnet-4-5</td>",
        "<label for='password'>Password2go</label><input type='password' id='p2'>",
        "<PasswordField label='x'>Enter</PasswordField>",
        "<p>Your password</p><p>Must have 8 characters</p>",
    ],
)
def test_elements_without_a_password_stay(text: str) -> None:
    assert REDACTOR.find(text) == []
