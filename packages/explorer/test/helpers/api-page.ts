/** The API part of the page, as tests use it. */
import type { Locator, Page } from 'playwright-core'

export class ApiPage {
  constructor (readonly page: Page) {}

  /** The form of the operation that is shown. */
  get form (): Locator { return this.page.getByRole('form', { name: 'Request' }) }
  get response (): Locator { return this.page.getByRole('region', { name: 'Response', exact: true }) }
  get status (): Locator { return this.response.locator('.status') }

  /** Shows an operation. */
  async open (operationId: string): Promise<void> {
    await this.page.evaluate(`location.hash = '#' + ${JSON.stringify(encodeURIComponent(operationId))}`)
    await this.page.waitForFunction(id => decodeURIComponent((globalThis as any).location.hash).endsWith(`/${id}`), operationId)
    await this.form.waitFor()
  }

  /**
   * Sends the request; what the response says of itself: its status, and how long it took.
   * @param press by a mouse, unless it says otherwise
   */
  async run (press = async (button: Locator): Promise<void> => { await button.click() }): Promise<string> {
    await this.page.evaluate("document.querySelector('.response > header')?.setAttribute('data-seen', '')")
    await press(this.page.getByRole('button', { name: 'Run' }))
    return await this.came()
  }

  /** What the next response says of itself. */
  async came (): Promise<string> {
    const head = this.response.locator('> header:not([data-seen])')
    await head.waitFor()
    return await head.textContent() ?? ''
  }

  async body (): Promise<string> {
    return await this.page.getByRole('region', { name: 'Response body' }).textContent() ?? ''
  }

  async json (): Promise<any> { return JSON.parse(await this.body()) }

  async tab (name: string): Promise<void> { await this.page.getByRole('tab', { name, exact: true }).click() }

  /** The editor of JSON with this label, once it is more than a text field. */
  editor (label: string): Locator {
    return this.page.getByRole('textbox', { name: label, exact: true }).and(this.page.locator('.cm-content'))
  }

  /** Writes the body as JSON. */
  async write (text: string): Promise<void> {
    await this.tab('JSON')
    // Browsers keep the look of what a text replaces by a style of its own, which the policy refuses: it goes first.
    await this.editor('body').press('Control+A')
    await this.editor('body').press('Delete')
    await this.editor('body').fill(text)
    // The editor reads what was written in a task of its own.
    await this.page.waitForTimeout(60)
  }

  /** The body as JSON. */
  async written (): Promise<string> {
    await this.tab('JSON')
    return await textOf(this.editor('body'))
  }

  /** Sets a token by the field at the top. */
  async setToken (value: string): Promise<void> {
    await this.page.getByLabel('accessToken').fill(value)
    await this.page.getByRole('button', { name: 'Set Access Token' }).click()
    await this.page.getByText('Token Set', { exact: true }).waitFor()
  }

  /** Opens the window to log in. */
  async logIn (user: string, password: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Log in', exact: true }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Log in' })
    await dialog.getByLabel('E-mail or user name').fill(user)
    await dialog.getByLabel('Password').fill(password)
    await dialog.getByLabel('Password').press('Enter')
  }
}

/** The text of an editor. */
export async function textOf (editor: Locator): Promise<string> {
  await editor.waitFor()
  return (await editor.locator('.cm-line').allTextContents()).join('\n')
}
