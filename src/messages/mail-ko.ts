import type { mailEn } from './mail-en.ts'

export const mailKo: Record<keyof typeof mailEn, string> = {
  'mail.greeting': '{handle}님, 안녕하세요.',
  'mail.footer': '{site}에서 자동으로 보낸 메일이에요. 답장은 확인하지 않아요.',
  'mail.test.subject': '테스트 메일',
  'mail.test.body': '이 메일이 보이면 {site}에서 메일을 보낼 수 있어요.',
  'mail.open_account': '내 계정 열기',

  'mail.verification.subject': '이메일 주소를 확인해 주세요',
  'mail.verification.body':
    '이 주소가 {site} 계정 @{handle}의 주소인지 확인해 주세요. 링크는 {lasts} 동안 한 번만 쓸 수 있어요.',
  'mail.verification.action': '이메일 주소 확인하기',
  'mail.verification.note':
    '{site}에 가입하거나 주소를 바꾸지 않았다면 이 메일을 무시해 주세요. 확인하지 않으면 아무 일도 일어나지 않아요.',

  'mail.password_reset.subject': '새 비밀번호를 정해 주세요',
  'mail.password_reset.body':
    '{site} 계정 @{handle}의 비밀번호를 새로 정할 수 있어요. 링크는 {lasts} 동안 한 번만 쓸 수 있어요.',
  'mail.password_reset.action': '새 비밀번호 정하기',
  'mail.password_reset.note':
    '요청하지 않았다면 이 메일을 무시해 주세요. 비밀번호는 그대로 유지돼요.',

  'mail.password_changed.subject': '비밀번호가 바뀌었어요',
  'mail.password_changed.body':
    '{site} 계정 @{handle}의 비밀번호가 바뀌었고, 다른 기기에서는 로그아웃됐어요. 아직 쓸 수 있는 API 키는 {keys}개예요. 연결된 앱은 그대로 연결돼 있어요.',
  'mail.password_changed.note': '직접 바꾸지 않았다면 지금 바로 비밀번호를 재설정해 주세요.',
  'mail.password_changed.action': '비밀번호 재설정하기',

  'mail.email_changed.subject': '이메일 주소가 바뀌어요',
  'mail.email_changed.body':
    '{site} 계정 @{handle}의 새 이메일 주소: {email}. 직접 바꿨다면 할 일이 없어요.',
  'mail.email_changed.action': '변경 취소하기',
  'mail.email_changed.note':
    '직접 바꾸지 않았다면 변경을 취소해 주세요. 링크는 {lasts} 동안 한 번만 쓸 수 있어요. 취소하면 이 주소로 되돌리고, 모든 기기에서 로그아웃하고, 새 비밀번호를 정할 링크를 보내 드려요.',

  'mail.new_sign_in.subject': '새 기기에서 로그인했어요',
  'mail.new_sign_in.body': '{site} 계정 @{handle}에 새 기기나 브라우저로 로그인했어요.',
  'mail.new_sign_in.facts': '시간: {at}\n기기: {agent}\nIP 주소: {ip}',
  'mail.new_sign_in.note':
    '직접 로그인했다면 할 일이 없어요. 아니라면 비밀번호를 바꾸고 그 기기를 로그아웃해 주세요.',

  'mail.second_factor_changed.subject': '2단계 로그인이 바뀌었어요',
  'mail.second_factor_changed.totp_enabled': '{site} 계정 @{handle}에 인증 앱이 추가됐어요.',
  'mail.second_factor_changed.totp_disabled': '{site} 계정 @{handle}에서 인증 앱이 삭제됐어요.',
  'mail.second_factor_changed.passkey_added': '{site} 계정 @{handle}에 패스키가 추가됐어요.',
  'mail.second_factor_changed.passkey_removed': '{site} 계정 @{handle}에서 패스키가 삭제됐어요.',
  'mail.second_factor_changed.codes_replaced':
    '{site} 계정 @{handle}의 복구 코드를 새로 만들었어요. 이전 코드는 더 이상 쓸 수 없어요.',
  'mail.second_factor_changed.removed_by_operator':
    '운영자가 {site} 계정 @{handle}의 인증 앱, 패스키, 복구 코드를 모두 삭제했어요.',
  'mail.second_factor_changed.removed_by_undo':
    '이메일 변경을 취소하면서, 그 뒤에 {site} 계정 @{handle}에 추가된 인증 앱, 패스키, 복구 코드를 삭제했어요.',
  'mail.second_factor_changed.note': '예상하지 못한 일이라면 지금 바로 비밀번호를 바꿔 주세요.',

  'mail.application_decided.approved.subject': '가입 신청이 승인됐어요',
  'mail.application_decided.approved.body':
    '{site}에 오신 것을 환영해요! 이제 @{handle} 계정으로 로그인할 수 있어요.',
  'mail.application_decided.rejected.subject': '가입 신청이 거절됐어요',
  'mail.application_decided.rejected.body': '{site} 가입 신청이 거절됐어요.',
  'mail.application_decided.reason': '이유: {reason}',
  'mail.application_decided.action': '로그인하기',

  'mail.deletion_scheduled.subject': '계정이 삭제될 예정이에요',
  'mail.deletion_scheduled.body':
    '{site} 계정 @{handle}의 삭제 예정 시간: {due}. 그전까지는 평소처럼 쓸 수 있고, 내 계정에서 삭제를 취소할 수 있어요.',

  'mail.export_ready.subject': '내 데이터가 준비됐어요',
  'mail.export_ready.body':
    '{site} 계정 @{handle}의 데이터 사본이 준비됐어요. {until}까지 내려받을 수 있어요.',
}
