# A filter for Doxygen: the comment that a header starts with becomes the documentation of the file.
1s,^//,/// \\file\n///,
2,/^#pragma/s,^// ,/// ,
