const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The ids of consents are UUIDs in lower case; anything else names none. */
export const isUuid = (id: unknown): id is string => typeof id === 'string' && uuid.test(id);
