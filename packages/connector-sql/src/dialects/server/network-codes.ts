/** Codes of Node.js for connections that are gone, or never were there. */
export const networkCodes: readonly string[] = [
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT',
  'EACCES', 'ECONNABORTED'
]
