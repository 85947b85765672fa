/** How far the times in client assertions and DPoP proofs may be from now, either way, in seconds (contract 4). */
export const clockTolerance = 60;
