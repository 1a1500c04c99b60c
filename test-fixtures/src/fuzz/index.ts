export { Attacker, campaign, confirmed, type CampaignOptions, type Found, type Outcome } from './campaign.js'
export { faultText, summaryText } from './report.js'
export { readSeed, type Seed } from './seeds.js'
