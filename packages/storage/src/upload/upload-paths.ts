/** Places for uploads at a time: some for each client, so that nobody has them all (security.md, S-100). */
import { tooManyUploads } from '../errors.js'

export class UploadPaths {
  #taken = 0
  readonly #byClient = new Map<string, number>()

  /**
   * @param most places of all together
   * @param share places of one client
   * @param client undefined: code of the application, which is counted among all and has no share
   * @returns gives the place back
   * @throws RequestError 503 TOO_MANY_UPLOADS
   */
  take (most: number, share: number, client: string | undefined): () => void {
    const own = client === undefined ? 0 : this.#byClient.get(client) ?? 0
    if (this.#taken >= most || own >= share) throw tooManyUploads()
    this.#taken++
    if (client !== undefined) this.#byClient.set(client, own + 1)
    return () => {
      this.#taken--
      if (client === undefined) return
      const left = (this.#byClient.get(client) ?? 1) - 1
      if (left > 0) this.#byClient.set(client, left)
      else this.#byClient.delete(client)
    }
  }
}
