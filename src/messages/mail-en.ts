export const mailEn = {
  'mail.greeting': 'Hi {handle},',
  'mail.footer': "{site} sent you this email automatically. Replies aren't read.",
  'mail.test.subject': 'Test email',
  'mail.test.body': 'If you can read this, {site} can send email.',
  'mail.open_account': 'Open your account',

  'mail.verification.subject': 'Confirm your email address',
  'mail.verification.body':
    'Confirm that this address belongs to your {site} account @{handle}. The link works once, for {lasts}.',
  'mail.verification.action': 'Confirm email address',
  'mail.verification.note':
    "If you didn't sign up for {site} or change your address, ignore this email. Nothing happens unless you confirm.",

  'mail.password_reset.subject': 'Choose a new password',
  'mail.password_reset.body':
    'You can choose a new password for your {site} account @{handle}. The link works once, for {lasts}.',
  'mail.password_reset.action': 'Choose a new password',
  'mail.password_reset.note':
    "If you didn't ask for this, ignore this email. Your password stays the same.",

  'mail.password_changed.subject': 'Your password was changed',
  'mail.password_changed.body':
    'The password of your {site} account @{handle} was changed, and other devices were signed out. API keys that still work: {keys}. Connected apps stay connected.',
  'mail.password_changed.note': "If it wasn't you, reset your password right away.",
  'mail.password_changed.action': 'Reset your password',

  'mail.email_changed.subject': 'Your email address is changing',
  'mail.email_changed.body':
    "The email address of your {site} account @{handle} is changing to {email}. If this was you, there's nothing to do.",
  'mail.email_changed.action': 'Undo the change',
  'mail.email_changed.note':
    "If it wasn't you, undo the change. The link works once, for {lasts}. It restores this address, signs out all devices, and sends you a link to choose a new password.",

  'mail.new_sign_in.subject': 'New sign-in to your account',
  'mail.new_sign_in.body':
    'Someone signed in to your {site} account @{handle} with a new device or browser.',
  'mail.new_sign_in.facts': 'Time: {at}\nDevice: {agent}\nIP address: {ip}',
  'mail.new_sign_in.note':
    "If it was you, there's nothing to do. If not, change your password and end the session.",

  'mail.second_factor_changed.subject': 'Your two-step sign-in was changed',
  'mail.second_factor_changed.totp_enabled':
    'An authenticator app was added to your {site} account @{handle}.',
  'mail.second_factor_changed.totp_disabled':
    'The authenticator app was removed from your {site} account @{handle}.',
  'mail.second_factor_changed.passkey_added':
    'A passkey was added to your {site} account @{handle}.',
  'mail.second_factor_changed.passkey_removed':
    'A passkey was removed from your {site} account @{handle}.',
  'mail.second_factor_changed.codes_replaced':
    'Your {site} account @{handle} has new recovery codes. The earlier ones no longer work.',
  'mail.second_factor_changed.removed_by_operator':
    'An operator removed the authenticator app, all passkeys and all recovery codes from your {site} account @{handle}.',
  'mail.second_factor_changed.removed_by_undo':
    'Undoing the email change removed the authenticator app, passkeys and recovery codes that were added since to your {site} account @{handle}.',
  'mail.second_factor_changed.note': "If you didn't expect this, change your password right away.",

  'mail.application_decided.approved.subject': 'Your application was approved',
  'mail.application_decided.approved.body': 'Welcome to {site}! You can now sign in as @{handle}.',
  'mail.application_decided.rejected.subject': 'Your application was declined',
  'mail.application_decided.rejected.body': 'Your application to join {site} was declined.',
  'mail.application_decided.reason': 'Reason: {reason}',
  'mail.application_decided.action': 'Sign in',

  'mail.deletion_scheduled.subject': 'Your account will be deleted',
  'mail.deletion_scheduled.body':
    'Your {site} account @{handle} will be deleted on {due}. Until then you can use it as usual, and cancel the deletion in your account.',

  'mail.export_ready.subject': 'Your data is ready',
  'mail.export_ready.body':
    'The copy of your data from your {site} account @{handle} is ready. You can download it until {until}.',
} as const
