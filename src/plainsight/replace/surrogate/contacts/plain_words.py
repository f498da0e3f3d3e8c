"""Words that tell what a contact is for, not whose it is; and words to make up domains from."""

from __future__ import annotations

__all__ = ["FIRST_WORDS", "PHONE_WORDS", "ROLES", "SECOND_LEVELS", "SECOND_WORDS", "SERVERS"]

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
_FIRST_WORDS = """
    alder amber aspen birch bright broad cedar clear copper cross east elm fair fern field forest glen
    gold grand green harbor hazel heather high holly iron juniper kings lake laurel linden long maple
    meadow mill north oak orchard pine prairie quarry red ridge river rock sage silver south spring stone
    summer sun sweet valley west white wild willow winter wood
"""
_SECOND_WORDS = """
    bank bay bend bluff bridge brook camp cliff cove creek crest dale dell falls farm field ford gate
    glade grove harbor haven heath hill hollow hurst lake land lawn ledge light mark mead mere mill mont
    mount orchard park path peak point pond port ridge rock run shore side spring stead stone summit
    trail vale view wall water way well wick wood yard
"""

ROLES = frozenset(_ROLES.split())
"""Parts of logins that name a function."""

SERVERS = frozenset(_SERVERS.split())
"""Labels of hosts that name a service."""

SECOND_LEVELS = frozenset(_SECOND_LEVELS.split())
"""What stands before the country in a domain such as ``co.uk``."""

PHONE_WORDS = frozenset(_PHONE_WORDS.split())
"""Words that may stand around a phone number."""

FIRST_WORDS = tuple(_FIRST_WORDS.split())
SECOND_WORDS = tuple(_SECOND_WORDS.split())
"""The halves of made-up names for domains."""
