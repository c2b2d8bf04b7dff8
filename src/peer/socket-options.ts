// Numbers of getsockopt(2) for Unix sockets (socket(7), unix(7)), the same on x86-64 and arm64.

/** The level of the options below. */
export const SOL_SOCKET = 1;

/** The credentials of the peer. */
export const SO_PEERCRED = 17;

/** The supplementary groups of the peer, four bytes each (Linux 4.13). */
export const SO_PEERGROUPS = 59;

/** A pidfd of the peer (Linux 6.5). */
export const SO_PEERPIDFD = 77;
