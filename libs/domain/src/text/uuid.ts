const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True if the value is a UUID in lower case, as all ids of resources are. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
