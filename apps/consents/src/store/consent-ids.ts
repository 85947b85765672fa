const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True if the id is a lower-case UUID, as all consent ids are. */
export const isUuid = (id: unknown): id is string => typeof id === 'string' && uuid.test(id);
