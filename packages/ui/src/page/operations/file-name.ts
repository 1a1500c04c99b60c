/** The name that the server gives a file; undefined where it gives none. */
export function fileName (headers: Headers): string | undefined {
  const disposition = headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded)
    } catch {
      // The plain name says it as well as it can.
    }
  }
  return /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1') ??
    /filename=([^;"\s]+)/i.exec(disposition)?.[1]
}
