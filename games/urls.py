"""One stable address for each thing."""

from django.urls import path
from django.views.i18n import set_language

from games.views import (
    analysis,
    boards,
    home,
    join,
    lobby,
    moves,
    names,
    new,
    rules_page,
    settings,
    site_files,
    sprites,
)

urlpatterns = [
    # First, since it is requested most, and addresses are compared in this order.
    path("g/<str:game_id>/move/", moves.move, name="move"),
    path("", home.home, name="home"),
    path("robots.txt", site_files.robots, name="robots"),
    path("site.webmanifest", site_files.manifest, name="manifest"),
    path("share.png", site_files.share_picture, name="share_picture"),
    path("new/<slug:slug>/", new.new_game, name="new"),
    path("new/<slug:slug>/start/", new.quick_start, name="quick_start"),
    path("rules/<slug:slug>/", rules_page.rules, name="rules"),
    path("rules/<slug:slug>/pictures/<slug:digest>.svg", sprites.rules_sprite, name="rules_sprite"),
    path("settings/", settings.settings, name="settings"),
    path("language/", set_language, name="set_language"),
    path("join/<str:token>/", join.join, name="join"),
    path("join/<str:token>/code.svg", join.code, name="join_code"),
    path("invite/<str:token>/", lobby.invite, name="invite"),
    path("invite/<str:token>/code.svg", lobby.code, name="invite_code"),
    path("g/<str:game_id>/", boards.game, name="game"),
    path("g/<str:game_id>/board/", boards.board, name="board"),
    path("g/<str:game_id>/seats/", boards.seats, name="seats"),
    path("g/<str:game_id>/pictures/<slug:digest>.svg", sprites.sprite, name="sprite"),
    path("g/<str:game_id>/mark/", moves.mark, name="mark"),
    path("g/<str:game_id>/resign/", moves.resign, name="resign"),
    path("g/<str:game_id>/level/", moves.level, name="level"),
    path("g/<str:game_id>/undo/", moves.undo, name="undo"),
    path("g/<str:game_id>/undo/answer/", moves.answer_undo, name="answer_undo"),
    path("g/<str:game_id>/rematch/", moves.rematch, name="rematch"),
    path("g/<str:game_id>/hint/", analysis.hint, name="hint"),
    path("g/<str:game_id>/analysis/", analysis.analysis, name="analysis"),
    path("g/<str:game_id>/begin/", lobby.begin, name="begin"),
    path("g/<str:game_id>/shuffle/", lobby.shuffle, name="shuffle"),
    path("g/<str:game_id>/leave/", lobby.stand_up, name="stand_up"),
    path("g/<str:game_id>/names/", names.name_seats, name="name_seats"),
    path("g/<str:game_id>/sit/", join.sit, name="sit"),
    path("g/<str:game_id>/device/", join.move_device, name="move_device"),
    path("g/<str:game_id>/<int:ply>/", boards.at_ply, name="at_ply"),
    path("g/<str:game_id>/<int:ply>/picture.png", boards.picture, name="picture"),
]
