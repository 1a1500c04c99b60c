/** Methods by name; a client may send any. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request where HTTP names it, else `other`. */
export const methodName = (method: string): string => methods.has(method) ? method : 'other'
