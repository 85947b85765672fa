/** Injection tokens for what {@link RuntimeModule} provides in addition to Clock, CallClient and Health. */
export const PROFILE = Symbol('PROFILE');
export const LOGGER = Symbol('LOGGER');
export const STREAMS = Symbol('STREAMS');
export const POOL = Symbol('POOL');
export const CONFIG = Symbol('CONFIG');
