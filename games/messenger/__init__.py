"""The part of a worker that sends notices: a module for each kind of channel."""

from games.messenger.sender import Messenger as Messenger
