/** The icons of the page, by their names in Lucide: the build puts these, and no others, into one sprite. */
export const iconNames = [
  'activity', 'arrow-down', 'arrow-left', 'arrow-right', 'arrow-up', 'box', 'braces',
  'check', 'chevron-down', 'chevron-left', 'chevron-right', 'circle-alert', 'circle-check', 'circle-help', 'clock',
  'code', 'columns-3', 'copy', 'database', 'download', 'ellipsis', 'external-link', 'eye', 'eye-off',
  'file', 'filter', 'fingerprint', 'history', 'image', 'info', 'key-round', 'keyboard',
  'layers', 'link', 'list', 'lock', 'log-in', 'log-out', 'map-pin', 'maximize', 'menu', 'minus', 'monitor',
  'moon', 'pause', 'pencil', 'play', 'plus', 'radio', 'refresh-cw', 'rotate-ccw', 'save', 'search', 'send',
  'settings', 'shield-check', 'shield-x', 'square', 'star', 'sun', 'table', 'trash-2', 'triangle-alert',
  'upload', 'user', 'users', 'wand-sparkles', 'workflow', 'x', 'zap', 'zoom-in', 'zoom-out'
] as const

export type IconName = typeof iconNames[number]
