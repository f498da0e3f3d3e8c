"""Words that tell what a contact is for, not whose it is."""

from __future__ import annotations

__all__ = ["GIVEN_NAMES", "PHONE_WORDS", "ROLES", "SECOND_LEVELS", "SERVERS"]

_ROLES = """
    abuse accounts admin alerts appeals appointments appt at billing cancer care case center chart clinic
    com contact coord cro cs desk dev doctor dot dr ed edu er family forms front frontdesk gc health help
    hep home hr icu info intake ip it lab labs mail mailto md media med medical mychart net news noreply
    np nurse office opat or org pa patient peds pharmacy portal proxy ps psych rad reception records
    referrals results rn rx sched scheduling schedule scribe secs secure security service services staff
    student support surgery svc system team tech tele telehealth telestroke trn tx user web webmaster www
    bill bills book capt check checkin enroll feedback home index join link login main mr mrs ms pay
    register rev roi room sgt share sign signup start status study survey video view visit
"""
_SERVERS = """
    app apps chart civil clinic dictate email enroll fastmail forms health inbox intranet lab labportal
    mail mailbox meet my mychart myhealth myresults nhs pacs patient portal post results secure visit web
    webmail www
"""
_SECOND_LEVELS = """
    ac co com edu gov govt net nhs org sch
"""
_PHONE_WORDS = """
    and beep beeper bleep call cell desk dial direct dsn ext extension extn fax fon home line mobile
    office opt option page pager pgr phone spectra tel telephone text toll free vocera voice voicemail
    work
"""

ROLES = frozenset(_ROLES.split())
"""Parts of logins that name a function."""

GIVEN_NAMES = frozenset(("bill", "dot", "ed", "roi"))
"""Those of the roles that are given names too."""

SERVERS = frozenset(_SERVERS.split())
"""Labels of hosts that name a service."""

SECOND_LEVELS = frozenset(_SECOND_LEVELS.split())
"""What stands before the country in a domain such as ``co.uk``."""

PHONE_WORDS = frozenset(_PHONE_WORDS.split())
"""Words that may stand around a phone number."""
