"""`git lerim allow`: consent to guarded settings in this repository's own configuration."""

from git_lerim.actions.allow import allow
from git_lerim.commands.opening import ALLOWED, opened, setting_lines
from git_lerim.commands.terminal import confirm, data, data_json, json_option, verb, yes_option


@verb()
@yes_option
@json_option
def command(*, yes: bool, as_json: bool) -> None:
    """Approve the settings in this repository's own configuration that need permission.

    These settings decide what is read, where data is sent (endpoint, key, model, push) and which
    safeguards apply. The approval is stored in $LERIM_HOME for this path and these values; a
    changed value needs a new approval.
    """
    ws = opened()
    asking = ws.settings.asking
    if not as_json:
        for line in setting_lines(asking):
            data(line)
    if asking:
        confirm(ALLOWED, yes=yes)
        allow(ws)
    if as_json:
        data_json({"allowed": [{"name": name, "value": value} for name, value in asking]})
    else:
        data(
            f"Allowed for {ws.consent.repository}"
            if asking
            else "nothing to allow: no setting here needs permission, or all have it already"
        )
