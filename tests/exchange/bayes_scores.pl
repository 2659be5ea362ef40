# Prints SpamAssassin's Bayes score of each file named on standard input, to the last digit, whatever its rules say.
use strict;
use warnings;
use Mail::SpamAssassin;
my ($home) = @ARGV;
my $program = Mail::SpamAssassin->new({
  dont_copy_prefs => 1, local_tests_only => 1,
  rules_filename => "$home/rules", site_rules_filename => "$home/rules", userprefs_filename => "$home/prefs",
});
$program->init(1);
my ($bayes) = grep { ref($_) =~ m{Plugin::Bayes$} } @{$program->{plugins}->{plugins}};
chomp(my @files = <STDIN>);
for my $file (@files) {
  open(my $in, '<', $file) or die "$file: $!";
  my @lines = <$in>;
  close $in;
  my $mail = $program->parse(\@lines, 1);
  my $status = Mail::SpamAssassin::PerMsgStatus->new($program, $mail);
  $status->extract_message_metadata();
  my $score = $bayes->scan($status, $mail);
  print defined $score ? sprintf("%.17g", $score) : "none", "\n";
  $status->finish();
  $mail->finish();
}
