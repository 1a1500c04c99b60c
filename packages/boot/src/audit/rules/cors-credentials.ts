import { isEverybody } from '../../middleware/native/cors.js'
import type { FolderRule } from '../rule.js'
import { entriesOf, optionsAt } from './middleware.js'

export const corsCredentials: FolderRule = {
  needsFolder: true,
  code: 'FBK_AUDIT_CORS_CREDENTIALS',
  severity: 'high',
  title: 'CORS lets pages of every origin send credentials',
  why: "Any page that a logged-in user visits would act in that user's name. The server leaves the credentials out, so cookies reach it from nowhere.",
  find (subject) {
    return entriesOf(subject, 'cors').flatMap(entry => {
      const { origin, credentials } = optionsAt(entry)
      if (credentials !== true || !isEverybody(origin)) return []
      return [
        {
          ...entry.place('params', 'origin'),
          what: 'Every origin may send credentials.',
          fix: '"origin": ["https://app.example"]'
        }
      ]
    })
  }
}
