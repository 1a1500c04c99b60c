/**
 * The one script of the pages (openid.md, OI-254): asks the browser for a passkey, or to make one, and sends its
 * response with the form. It loads nothing and sends nothing by itself; without it the pages are as they are.
 */
export const passkeyScript = `'use strict'
const form = document.getElementById('passkey')
const read = form === null || !window.PublicKeyCredential ? undefined : form.dataset.creation === undefined
  ? PublicKeyCredential.parseRequestOptionsFromJSON
  : PublicKeyCredential.parseCreationOptionsFromJSON
if (read) {
  const { options, creation, conditional } = form.dataset
  const publicKey = read.call(PublicKeyCredential, JSON.parse(creation === undefined ? options : creation))
  let waiting
  const ask = async mediation => {
    if (waiting) waiting.abort()
    waiting = new AbortController()
    const { signal } = waiting
    try {
      const credential = creation === undefined
        ? await navigator.credentials.get({ publicKey, signal, mediation })
        : await navigator.credentials.create({ publicKey, signal })
      form.elements.passkey.value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      if (mediation !== 'conditional' && error.name !== 'AbortError') document.getElementById('passkey-problem').hidden = false
    }
  }
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    ask('optional')
  })
  if (conditional !== undefined && PublicKeyCredential.isConditionalMediationAvailable) {
    PublicKeyCredential.isConditionalMediationAvailable().then(can => can && ask('conditional'))
  }
}
`
