"""Settings of the site, by subject. Operators set environment variables; an empty one counts as
unset.

BOARDSITE_NAME         name of the site (Squarely)
BOARDSITE_DATA         folder of the database, the secret key and collected files (var/)
DATABASE_URL           another database than var/boardsite.sqlite3
REDIS_URL              Redis or Valkey, through which several machines notify each other of moves
BOARDSITE_SECRET       the secret key, which signs the cookies of players (otherwise created
                       once and stored in BOARDSITE_DATA: no copy of the database holds it)
BOARDSITE_HOSTS        host names of the site, with commas (this machine's own names)
BOARDSITE_PORT         the port in the site's addresses, with BOARDSITE_HTTPS (443)
BOARDSITE_HTTPS        1 when browsers use https: secure cookies, HSTS for this host
BOARDSITE_SMTP         the mail server: smtp+tls://user:password@host:587, smtps://… or smtp://…
                       (unset: nothing about e-mail is offered)
BOARDSITE_MAIL_FROM    the address that e-mails come from, with BOARDSITE_SMTP
BOARDSITE_ABSENT_DAYS  days without a move, in a game without a clock, after which the others may
                       claim the win or fill the seat (7)
BOARDSITE_SLOT_SECONDS  seconds of processor time per hour for an address's animations, previews and
                       large exports (120)
BOARDSITE_PUSH_KEY     the key of Web Push (otherwise that of `make_push_keys` in BOARDSITE_DATA;
                       without one no device is told of turns)
BOARDSITE_PUSH_CONTACT  where push services reach the operator: mailto:… or https://… (the first
                       host of the site)
BOARDSITE_PRIVATE_ORIGINS  origins in private networks, with commas, to which notices may be sent
                       besides public https addresses, such as http://10.0.0.5:8065 (none)
BOARDSITE_OPEN_SEATS_HOOK  the web hook of a chat room that hears of open seats (none)
BOARDSITE_ACCESS_LOG   1 to log every request, without the tokens of invitations
BOARDSITE_RATE_LIMITS  0 to switch off the rate limits (games/core/rate_limits.py)
BOARDSITE_THREADS      threads that answer requests (2; 4 with PostgreSQL, for which they wait);
                       POSTs to games have threads of their own (1; 4), and so has the admin (1)
BOARDSITE_METRICS_TOKEN  a word that Prometheus sends to read /metrics/ (unset: there are none)
BOARDSITE_KEEP_EMPTY_GAMES     days that a game without a move is kept (30; 0: for ever), by
BOARDSITE_KEEP_RUNNING_GAMES   `tidy`; likewise games that nobody goes on with (365),
BOARDSITE_KEEP_FINISHED_GAMES  games that are over (0),
BOARDSITE_KEEP_EVALUATIONS     hints and analyses that nobody looks at (90),
BOARDSITE_KEEP_PLAYERS         players without a game or an account (365)
BOARDSITE_SMALLEST_FILES  1 to compress static files as far as possible, for a site with visitors:
                       the first start takes ten seconds more
BOARDSITE_DEBUG        1 for Django's debug pages
FORWARDED_ALLOW_IPS    addresses of trusted proxies, with commas (those of this machine); * only
                       where all requests come through a proxy
"""

from boardsite.settings.base import *
from boardsite.settings.messages import *
from boardsite.settings.security import *
from boardsite.settings.templates import *
